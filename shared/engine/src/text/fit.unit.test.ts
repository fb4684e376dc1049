import { describe, expect, it } from '@jest/globals';
import { compile, section, written } from '../testing/compile.ts';
import { readMarkdown } from '../testing/markdown-reader.ts';
import { codePoints } from './cut.ts';

const log = 'x'.repeat(3_100);
const link = ' <https://ci.example.com/1|View run>';
const markdown = (text: string, data: Record<string, unknown>): string =>
  String(compile([{ type: 'markdown', text }], data).blocks[0]?.text);

describe('a value that is too long for its text', () => {
  it.each([
    ['a fence', '```', '```'],
    ['a code span', '`', '`'],
    ['bold text', '*', '*'],
    ['italic text', '_', '_'],
    ['struck text', '~', '~'],
  ])('is shortened inside %s, which stays closed, and the link behind it stays', (_, open, close) => {
    const text = String(written(`${open}{{l}}${close}${link}`, { l: log }));
    expect(text).toMatch(/^([^x]+)x+…\1 <https:\/\/ci\.example\.com\/1\|View run>$/);
    expect(codePoints(text)).toBe(3_000);
  });

  it('is counted after escaping', () => {
    const text = String(written(`\`\`\`{{l}}\`\`\`${link}`, { l: '&'.repeat(3_100) }));
    expect(text).toMatch(/^```(&amp;)+…``` </);
    expect(codePoints(text)).toBeGreaterThan(2_990);
    expect(codePoints(text)).toBeLessThanOrEqual(3_000);
  });

  it('is counted after escaping by `truncate` too, so that it is not cut again', () => {
    const { blocks, fieldsTruncated } = compile([section('`{{l | truncate:2500}}` end')], {
      l: '&'.repeat(3_100),
    });
    expect(fieldsTruncated).toBe(0);
    expect(JSON.stringify(blocks)).toMatch(/`(&amp;){499}…` end/);
  });

  it.each(['run `{{l}}` now', 'log:\n```\n{{l}}\n```\nend'])(
    'is shortened where the code around it outgrows the limit with it: %s',
    (text) => {
      for (const count of [3_990, 3_998, 4_000, 4_111, 6_000, 12_000]) {
        const made = markdown(text, { l: '`'.repeat(count) });
        expect(codePoints(made)).toBeLessThanOrEqual(12_000);
        expect(readMarkdown(made).marks).toEqual([text.startsWith('run') ? 'code' : 'code_block']);
        expect(made).toMatch(/(?: now|end)$/);
      }
    },
  );

  it('leaves short values beside it whole', () => {
    const text = written('{{a}}: {{l}} ({{b}})', { a: 'first', l: log, b: 'last' });
    expect(text).toMatch(/^first: x+… \(last\)$/);
  });

  it('shares the room with other long values', () => {
    const text = String(written('{{a}} and {{b}}', { a: 'a'.repeat(5_000), b: 'b'.repeat(5_000) }));
    const [, one = '', other = ''] = /^(a+…) and (b+…)$/.exec(text) ?? [];
    expect([one.length, other.length]).toEqual([1_497, 1_497]);
  });

  it.each([
    ['section field', { type: 'section', fields: [{ type: 'mrkdwn', text: '`{{l}}` end' }] }],
    ['context', { type: 'context', elements: [{ type: 'mrkdwn', text: '`{{l}}` end' }] }],
    ['card', { type: 'card', body: { type: 'mrkdwn', text: '`{{l}}` end' } }],
    ['markdown block', { type: 'markdown', text: '```\n{{l}}\n```\nend' }],
  ])('leaves the text of the template whole in a %s', (_, block) => {
    expect(JSON.stringify(compile([block], { l: 'x'.repeat(13_000) }).blocks)).toMatch(
      /x…(`|\\n```\\n) ?end/,
    );
  });

  it('gives way as the address of a link: the label stays', () => {
    expect(written('see <https://e.com/{{l}}|the page> now', { l: log })).toBe('see the page now');
    expect(written('see <https://e.com/{{l}}> now', { l: log })).toBe('see … now');
    expect(markdown('see [the page](https://e.com/{{l}}) now', { l: 'x'.repeat(12_000) })).toBe(
      'see the page now',
    );
  });

  it('gives way as the address of the filter `link`: the label stays', () => {
    const url = `https://e.com/${'x'.repeat(2_900)}`;
    const rest = 'y'.repeat(200);
    expect(written(`${rest}{{url | link:"Open"}} end`, { url })).toBe(`${rest}Open end`);
  });

  it('keeps the code of the filter `code` closed', () => {
    expect(written(`{{l | code}}${link}`, { l: log })).toMatch(/^`x+…` </);
    expect(written(`{{l | code}}${link}`, { l: `a\n${log}` })).toMatch(/^```\na\nx+…\n``` </);
  });

  it('keeps the marks of a `raw` value closed', () => {
    expect(written(`{{l | raw}}${link}`, { l: `*${log}*` })).toMatch(/^\*x+…\* </);
    expect(written(`{{l | raw}}${link}`, { l: `\`\`\`${log}\`\`\`` })).toMatch(/^```x+…``` </);
  });

  it('is named by the warning with the limit', () => {
    const { warnings, fieldsTruncated } = compile([section('{{a.log}} {{b}}')], { a: { log }, b: 'b' });
    expect(warnings).toEqual([
      '/0/text/text: the text is cut at its limit, 3000 characters (`section.text`): `a.log` is shortened.',
    ]);
    expect(fieldsTruncated).toBe(1);
  });

  it('leaves the text of the template in the cells of a table that is too long', () => {
    const columns = [{ header: 'Log of the run', value: 'Log: {{this}}!' }];
    const { blocks } = compile([{ type: 'table', source: 'logs', columns }], { logs: [log, log, log, log] });
    const cells = [...JSON.stringify(blocks).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text);
    expect(cells[0]).toBe('Log of the run');
    for (const cell of cells.slice(1)) expect(cell).toMatch(/^Log: x+…!$/);
  });
});

describe('a link without an address', () => {
  it.each([
    ['<{{none}}|View run> now', 'View run now'],
    ['<{{none}}{{none}}|View {{b}}> now', 'View b now'],
    ['see <{{none}}> now', 'see  now'],
  ])('shows its label alone in mrkdwn: %s', (text, shown) => {
    expect(written(text, { b: 'b' })).toBe(shown);
  });

  it('shows its label alone in a markdown block', () => {
    expect(markdown('see [the page]({{none}}) now', {})).toBe('see the page now');
  });
});

describe('a text of the template that is too long by itself', () => {
  it('is cut with its marks closed', () => {
    expect(written(`*${'a'.repeat(4_000)}*`)).toMatch(/^\*a+…\*$/);
    expect(written(`\`\`\`${'a'.repeat(4_000)}\`\`\``)).toMatch(/^```a+…```$/);
    expect(markdown(`**${'a'.repeat(13_000)}**`, {})).toMatch(/^\*\*a+…\*\*$/);
    expect(markdown(`\`\`\`\n${'a'.repeat(13_000)}\n\`\`\``, {})).toMatch(/^```\na+…\n```$/);
  });

  it('is cut before a link of Markdown that does not fit', () => {
    expect(markdown(`${'a'.repeat(11_990)} [the page](https://e.com/page)`, {})).toBe(
      `${'a'.repeat(11_990)} …`,
    );
  });
});
