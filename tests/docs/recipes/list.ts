/** A recipe as the page tells it. Template, data and result are in `docs/examples/recipes/<slug>.json`. */
export interface Told {
  readonly slug: string;
  readonly title: string;
  /** For people who do not program: what it is good for, and what to write. */
  readonly about: string;
  /** What the picture shows, for those who cannot see it. */
  readonly alt: string;
}

/** Recipes about one subject. */
export interface Group {
  readonly title: string;
  readonly recipes: readonly Told[];
}

/** Every recipe, in the order of the page. */
export const groups: readonly Group[] = [
  {
    title: 'Texts',
    recipes: [
      {
        slug: 'long-log',
        title: 'A long log',
        about:
          'A message needs the beginning of a log and a link to the rest. `truncate:120` keeps 120 characters. Three backticks before and after the value show it as code.',
        alt: 'The job checkout tests failed. A grey box shows the beginning of its log and ends with three dots. A link below opens the whole log.',
      },
      {
        slug: 'code-in-a-line',
        title: 'Code in a line',
        about:
          'One backtick before and after a value shows it as code. Marks inside the value, such as `&` and `<`, appear as they are: data never becomes a mention or a link.',
        alt: 'To go back to 1.4.1, run a command, which is shown as code with all its marks.',
      },
    ],
  },
  {
    title: 'Lists',
    recipes: [
      {
        slug: 'list-in-one-line',
        title: 'A list in one line',
        about: '`join` puts the items of a list into one text, with what you give it between them.',
        alt: 'Affected: checkout, search, invoices.',
      },
      {
        slug: 'more-items-than-fit',
        title: 'More items than fit',
        about:
          '`#each` repeats blocks for every item of a list; `this` is the item. `max_items` shows the first few, and `overflow_text` says how many `remaining` ones there are. It appears only when there are any.',
        alt: 'Three errors with their counts, and below them: and 2 more.',
      },
      {
        slug: 'empty-list',
        title: 'An empty list',
        about:
          'The blocks under `empty` take the place of a list without items, so that a quiet day does not look like a broken message.',
        alt: 'Under the heading Incidents of 26 November stands: No incidents. All quiet.',
      },
      {
        slug: 'rows-with-a-limit',
        title: 'A table of rows with a limit',
        about:
          '`source` names the list, and `columns` say what each row shows. `max_rows` limits the rows; `overflow_text` becomes the last one. `align` sets numbers to the right.',
        alt: 'A table with the columns Order, Customer and Total has three rows, and a last one: and 2 more orders.',
      },
    ],
  },
  {
    title: 'Numbers and dates',
    recipes: [
      {
        slug: 'plurals',
        title: 'One or many',
        about:
          '`plural` takes the word for one and the word for every other number. Put the number itself before it.',
        alt: '1 test failed, 3 were skipped.',
      },
      {
        slug: 'money-and-percent',
        title: 'Money, percent and numbers',
        about:
          '`currency` takes the code of the currency. `percent:1` reads 0.0734 as 7.3%. `number` groups the digits, and `number:2` rounds to two decimals. All follow the language of the template (`locale`).',
        alt: 'Revenue €48,211.50, since last week 7.3%, visitors 128,904, orders per visit 0.03.',
      },
      {
        slug: 'date-in-the-readers-zone',
        title: "A date in the reader's zone",
        about:
          'With `chat_date` each reader sees the moment on their own clock. The data holds it with its zone; `Z` stands for UTC. Use `date` instead where everybody must read the same text.',
        alt: 'A reader in New York reads: Maintenance begins on Saturday 28 November 2026 at 21:00.',
      },
      {
        slug: 'how-long-ago',
        title: 'How long ago',
        about:
          '`time_ago` counts from the moment at which the message is made. The text stays as it is afterwards.',
        alt: 'The last backup ended 3 hours ago.',
      },
    ],
  },
  {
    title: 'Links and people',
    recipes: [
      {
        slug: 'link-with-a-label',
        title: 'A link with a label',
        about:
          '`link` shows an address under a label of yours. Where the label comes from the data, write address and label between `<` and `>` with a `|` between them.',
        alt: 'Order A-1001 was shipped. Two links follow: Open the order, and invoice 2026-883.',
      },
      {
        slug: 'link-in-markdown',
        title: 'A link in a markdown block',
        about:
          'A `markdown` block takes links as Markdown writes them: the label in square brackets, the address in round ones.',
        alt: 'Checkout 2.0 is out. Read what is new, which is a link.',
      },
      {
        slug: 'person-and-channel',
        title: 'A person and a channel',
        about:
          '`mention` makes a mention of the id of a person or a group, and notifies them. `channel` makes a link of the id of a channel.',
        alt: '@Ada Lovelace asks for a review in #deploys.',
      },
    ],
  },
  {
    title: 'Data as it comes',
    recipes: [
      {
        slug: 'missing-value',
        title: 'A value that may be missing',
        about:
          '`default` stands in where the data has no such value, or an empty one. Without it the message has a gap and the preview a warning.',
        alt: 'checkout was deployed by the pipeline.',
      },
    ],
  },
];

/** Every recipe. */
export const recipes: readonly Told[] = groups.flatMap((group) => group.recipes);
