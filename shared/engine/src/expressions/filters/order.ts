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
    because: 'words of the template are its own text, so their styles take effect',
  },
  {
    written: '{{v | default:"*none*"}}',
    value: '*.ts, *.js',
    makes: '\u200B*\u200B.ts, \u200B*\u200B.js',
    because: 'a present value is treated like any value',
  },
  {
    written: '{{v | default:"R&D <b>"}}',
    makes: 'R&amp;D &lt;b&gt;',
    because: 'words cannot create mentions or links',
  },
  {
    written: '{{v | default:"*none*" | upper}}',
    makes: '*NONE*',
    because:
      'words changed by `upper`, `lower`, `capitalize`, `trim`, `truncate` and `encode` stay the template’s own text',
  },
  { written: '{{v | default:"*none at all*" | truncate:6}}', makes: '*none…', because: 'as before' },
  { written: '{{v | default:"a/b" | encode}}', makes: 'a%2Fb', because: 'as before' },
  {
    written: '{{v | join:" *and* " | upper}}',
    value: ['*a', 'b*'],
    makes: '\u200B*\u200BA *AND* B\u200B*\u200B',
    because: 'items are values, separators are words',
  },
  {
    written: '{{v | encode | default:"a/b"}}',
    makes: 'a/b',
    because: 'a filter changes the expression before it, not later words',
  },
  { written: '{{v | truncate:3 | default:"*none*"}}', makes: '*none*', because: 'as before' },
  {
    written: '{{v | default:"none" | default:"nobody"}}',
    makes: 'none',
    because: 'the first non-empty words are used',
  },
  {
    written: '{{v | default:"*none*" | json}}',
    makes: '"\u200B*\u200Bnone\u200B*\u200B"',
    because: 'every other filter turns words into a value',
  },
  {
    written: '{{v | default:"*none*" | code}}',
    makes: '`*none*`',
    because: 'words in code are shown as code',
  },
  { written: '{{v | code | default:"*none*"}}', makes: '*none*', because: 'words after `code` are not code' },
  {
    written: '{{v | styled}}',
    value: '*a <b>',
    makes: '*a &lt;b&gt;*',
    because: 'styles of the value take effect and are closed; mentions and links do not',
  },
  {
    written: '{{v | upper | styled}}',
    value: '*a* b',
    makes: '*A* B',
    because: '`styled` comes last; only `default` can follow it',
  },
  { written: '{{v | default:"*none" | styled}}', makes: '*none', because: 'words stay as written' },
  {
    written: '{{v | styled | default:"*none*"}}',
    makes: '*none*',
    because: 'the order does not matter for words',
  },
  {
    written: '{{v | default:"<!here>" | raw}}',
    makes: '<!here>',
    because: '`raw` enables all markup of the expression before it',
  },
  {
    written: '{{v | raw | default:"<!here>"}}',
    makes: '&lt;!here&gt;',
    because: 'but none of the words after it',
  },
];
