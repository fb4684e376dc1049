/** Filters behind each other, and what becomes of a value and of the words of the template in a mrkdwn text. */
interface FilterOrder {
  readonly written: string;
  /** Missing where there is none. */
  readonly value?: unknown;
  readonly makes: string;
  readonly because: string;
}

/** The decision for each order of filters that change or replace a text. A test compiles them, and the docs print them. */
export const filterOrder: readonly FilterOrder[] = [
  {
    written: '{{v | default:"*none*"}}',
    makes: '*none*',
    because: 'words of the template are its own text: styles work in them',
  },
  {
    written: '{{v | default:"*none*"}}',
    value: '*.ts, *.js',
    makes: '\u200B*\u200B.ts, \u200B*\u200B.js',
    because: 'a value that is there is a value like any other',
  },
  {
    written: '{{v | default:"R&D <b>"}}',
    makes: 'R&amp;D &lt;b&gt;',
    because: 'no mention or link comes of words',
  },
  {
    written: '{{v | default:"*none*" | upper}}',
    makes: '*NONE*',
    because:
      '`upper`, `lower`, `capitalize`, `trim`, `truncate` and `encode` change words, which stay the template’s own',
  },
  { written: '{{v | default:"*none at all*" | truncate:6}}', makes: '*none…', because: 'as before' },
  { written: '{{v | default:"a/b" | encode}}', makes: 'a%2Fb', because: 'as before' },
  {
    written: '{{v | join:" *and* " | upper}}',
    value: ['*a', 'b*'],
    makes: '\u200B*\u200BA *AND* B\u200B*\u200B',
    because: 'items are values, and what stands between them is words',
  },
  {
    written: '{{v | encode | default:"a/b"}}',
    makes: 'a/b',
    because: 'a filter changes what stands before it, no later words',
  },
  { written: '{{v | truncate:3 | default:"*none*"}}', makes: '*none*', because: 'as before' },
  {
    written: '{{v | default:"none" | default:"nobody"}}',
    makes: 'none',
    because: 'the first words that are not empty stay',
  },
  {
    written: '{{v | default:"*none*" | json}}',
    makes: '"\u200B*\u200Bnone\u200B*\u200B"',
    because: 'every other filter makes a value of words',
  },
  { written: '{{v | default:"*none*" | code}}', makes: '`*none*`', because: 'words in code are code' },
  { written: '{{v | code | default:"*none*"}}', makes: '*none*', because: 'words behind `code` are none' },
  {
    written: '{{v | styled}}',
    value: '*a <b>',
    makes: '*a &lt;b&gt;*',
    because: 'styles of the value work and are closed, mentions and links do not',
  },
  {
    written: '{{v | upper | styled}}',
    value: '*a* b',
    makes: '*A* B',
    because: '`styled` comes last, and only `default` behind it',
  },
  { written: '{{v | default:"*none" | styled}}', makes: '*none', because: 'words stay as they are written' },
  { written: '{{v | styled | default:"*none*"}}', makes: '*none*', because: 'words in either order' },
  {
    written: '{{v | default:"<!here>" | raw}}',
    makes: '<!here>',
    because: '`raw` lets every mark work of what stands before it',
  },
  {
    written: '{{v | raw | default:"<!here>"}}',
    makes: '&lt;!here&gt;',
    because: 'and none of what stands behind it',
  },
];
