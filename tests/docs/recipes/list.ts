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
          'A message needs the beginning of a log and a link to the rest. `truncate:120` keeps 120 characters. Three backticks before and after the value show it as code. Without `truncate` the value is shortened where the text would be longer than a block takes; what you wrote yourself, here the end of the code and the link, always stays.',
        alt: 'The job checkout tests failed. A grey box shows the beginning of its log and ends with three dots. A link below opens the whole log.',
      },
      {
        slug: 'log-in-a-fence',
        title: 'Output in a code block',
        about:
          'A `markdown` block shows what stands between two lines of three backticks as it is, so that indents, stars, backslashes and brackets of the value stay. Backticks in the value do not end the block either.',
        alt: 'Output of lint, and below it a grey box with two lines of code, with all their brackets, stars and backslashes.',
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
        slug: 'condition-on-a-count',
        title: 'A condition on a count',
        about:
          '`#if` shows one of two groups of blocks. `.length` behind a list is the number of its items, and `gt` means more than. `else` holds the blocks for all other cases.',
        alt: '4 checks fail. Please look at once.',
      },
      {
        slug: 'rows-with-a-limit',
        title: 'A table of rows with a limit',
        about:
          '`source` names the list, and `columns` say what each row shows. `max_rows` limits the rows; `overflow_text` becomes the last one. `align` sets numbers to the right.',
        alt: 'A table with the columns Order, Customer and Total has three rows, and a last one: and 2 more orders.',
      },
      {
        slug: 'table-of-labels',
        title: 'A table of labels',
        about:
          '`#each` also repeats for every entry of an object: `@key` is the name of the entry, `this` its value. So labels need no names in the template.',
        alt: 'A table with the columns Label and Value has the rows service, region and severity.',
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
          'With `chat_date` each reader sees the moment on their own clock. The data holds it with its zone; `Z` stands for UTC. A date without a time is the same day for all. Use `date` instead where everybody must read the same text.',
        alt: 'A reader in New York reads: Maintenance begins on Saturday 28 November 2026 at 21:00.',
      },
      {
        slug: 'how-long-ago',
        title: 'How long ago',
        about:
          '`time_ago` counts from the moment at which the message is made. The text stays as it is afterwards.',
        alt: 'The last backup ended 3 hours ago.',
      },
      {
        slug: 'deadline-that-has-passed',
        title: 'A deadline that has passed',
        about:
          'Conditions compare moments as moments, also where one is written with another zone than the other: 21:30 at +02 is 19:30 in UTC. `value` with a `path` compares with another value of the data.',
        alt: 'Nightly export was late: it was due 19:30 and ended 20:50 (UTC).',
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
      {
        slug: 'mention-by-email',
        title: 'A mention by e-mail',
        about:
          'A send looks up the person with the address and mentions them. A preview has no workspace to ask, so it prints the address and says so in a warning; a send does the same for an address without a member of the workspace.',
        alt: 'In the preview stands: checkout needs its owner: ada@example.com',
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
      {
        slug: 'keys-with-dots-and-spaces',
        title: 'Names with dots and spaces',
        about:
          'Where a name in the data has a dot, a slash or a space in it, write it in square brackets and quotes behind the name before it.',
        alt: 'checkout reported by Ada',
      },
    ],
  },
];

/** Every recipe. */
export const recipes: readonly Told[] = groups.flatMap((group) => group.recipes);
