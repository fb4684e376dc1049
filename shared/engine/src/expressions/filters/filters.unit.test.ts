import { describe, expect, it } from '@jest/globals';
import { compile, header, problemsOf, section, textsOf, written } from '../../testing/compile.ts';

const data = {
  name: 'ada lovelace',
  padded: '  x ',
  marks: 'a&b&c&d&e',
  none: null,
  empty: '',
  nobody: [],
  nothing: {},
  zero: 0,
  off: false,
  total: 1234.5,
  long: '12345678901234567890',
  share: 0.256,
  at: '2026-11-20T22:15:30Z',
  day: '2026-01-05',
  seconds: 1_795_000_000,
  tags: ['b', 'a', 3],
  gaps: [null, 'a', '', 'b', null],
  gone: [null, ''],
  odd: 'a\0b\ud83d',
  people: [{ name: 'x' }],
  user: 'U0ADA',
  group: 'S0OPS',
  channel: 'C0GENERAL',
  url: 'https://example.com/a?b=1&c=2',
};

describe('filters', () => {
  it.each([
    ['{{missing | default:"n/a"}}', 'n/a'],
    ['{{none | upper | default:"n/a"}}', 'n/a'],
    ['{{empty | default:0}}', '0'],
    ['{{nobody | default:"n/a"}}', 'n/a'],
    ['{{nobody | join:", " | default:"n/a"}}', 'n/a'],
    ['{{nothing | default:"n/a"}}', 'n/a'],
    ['{{zero | default:"n/a"}}', '0'],
    ['{{off | default:"n/a"}}', 'false'],
    ['{{name | default:"n/a"}}', 'ada lovelace'],
    ['{{name | upper}}', 'ADA LOVELACE'],
    ['{{name | upper | lower}}', 'ada lovelace'],
    ['{{name | capitalize}}', 'Ada lovelace'],
    ['[{{padded | trim}}]', '[x]'],
    ['{{name | truncate:5}}', 'ada …'],
    ['{{marks | truncate:5}} {{marks | truncate:10}}', 'a… a&amp;b…'],
    ['{{total | number:2}}', '1,234.50'],
    ['{{total | number}}', '1,234.5'],
    ['{{total | currency:"USD"}}', '$1,234.50'],
    ['{{long | number}} {{long}}', '12,345,678,901,234,567,890 12345678901234567890'],
    ['{{long | currency:"USD"}}', '$12,345,678,901,234,567,890.00'],
    ['{{share | percent:1}}', '25.6%'],
    ['{{share | percent}}', '26%'],
    ['{{day | date:"short"}}', '1/5/26'],
    ['{{day | date:"medium"}}', 'Jan 5, 2026'],
    ['{{day | date:"long"}}', 'January 5, 2026'],
    ['{{at | date:"YYYY-MM-DD HH:mm:ss"}}', '2026-11-20 22:15:30'],
    ['{{at | date:"dddd D MMMM YY, h:mm a [o’clock]"}}', 'Friday 20 November 26, 10:15 pm o’clock'],
    ['{{seconds | date:"YYYY"}}', '2026'],
    ['{{at | time_ago}}', '10 hours ago'],
    ['{{tags | join:", "}}', 'b, a, 3'],
    ['{{gaps}} {{gaps | join:"/"}} {{gaps | count}}', 'a, b a/b 5'],
    ['{{gone | default:"n/a"}} {{gone | join:", " | default:"none"}}', 'n/a none'],
    ['{{odd | raw}}', 'ab\ufffd'],
    ['{{tags | count}} {{name | count}} {{people | first | count}}', '3 12 1'],
    ['{{tags | first}}{{tags | last}}', 'b3'],
    ['{{tags | count | plural:"tag","tags"}}', 'tags'],
    ['{{people | plural:"person","people"}}', 'person'],
    ['{{people | json}}', '[{"name":"x"}]'],
    ['{{user | mention}} {{group | mention}}', '<@U0ADA> <!subteam^S0OPS>'],
    ['{{channel | channel}}', '<#C0GENERAL>'],
    ['{{url | link:"Open <it>"}}', '<https://example.com/a?b=1&amp;c=2|Open &lt;it&gt;>'],
    ['{{url | link}}', '<https://example.com/a?b=1&amp;c=2>'],
    [
      '{{at | chat_date:"{date_short} {time}"}}',
      '<!date^1795212930^{date_short} {time}|Nov 20, 2026, 10:15 PM>',
    ],
  ])('%s', (text, expected) => {
    expect(String(written(text, data)).replaceAll('\u202f', ' ')).toBe(expected);
  });

  it('encode a value as one part of an address, whatever marks it has', () => {
    const link = '<https://e.com/s?q={{q | encode}}&page=2|Search>';
    expect(written(link, { q: 'a&b=c #1/ü?' })).toBe(
      '<https://e.com/s?q=a%26b%3Dc%20%231%2F%C3%BC%3F&page=2|Search>',
    );
    expect(written('{{q | encode}}', { q: '\ud800' })).toBe('%EF%BF%BD');
    expect(written('https://e.com/s?q={{q | encode}}', { q: "*a* ~b~ (it's)!" })).toBe(
      'https://e.com/s?q=%2Aa%2A%20%7Eb%7E%20%28it%27s%29%21',
    );
  });

  it.each(['en-US', 'de-DE', 'sv-SE', 'ja-JP', 'he-IL', 'ar-EG', 'fa-IR', 'hi-IN'])(
    'write what is rounded to zero without a sign, and other negatives with one: %s',
    (locale) => {
      const texts = ['{{n | number:1}}', '{{n | currency:"USD"}}', '{{n | percent:0}}', '{{n | percent}}'];
      for (const text of texts) {
        const shown = (n: unknown) => written(text, { n }, { locale });
        expect([text, shown(-0.001)]).toEqual([text, shown(0)]);
        expect([text, shown('-0.00001')]).toEqual([text, shown(0)]);
        expect([text, shown(-1.5)]).not.toEqual([text, shown(1.5)]);
      }
    },
  );

  it('take no literal whose digits would not be kept', () => {
    for (const literal of ['1234567890123456', '9007199254740993', '0.1234567890123456', '1e400']) {
      expect(problemsOf([section(`{{a | default:${literal}}}`)])).toMatchObject([
        { rule: 'filter.arguments' },
      ]);
    }
  });

  it('follow locale and time zone', () => {
    const german = { locale: 'de-DE', timezone: 'Asia/Tokyo' };
    expect(written('{{total | number:2}}', data, german)).toBe('1.234,50');
    expect(written('{{at | date:"DD. MMMM YYYY HH:mm"}}', data, german)).toBe('21. November 2026 07:15');
  });

  it('keep a calendar date on its day in every time zone', () => {
    for (const timezone of ['Pacific/Honolulu', 'Pacific/Kiritimati']) {
      expect(written('{{day | date:"YYYY-MM-DD"}}', data, { timezone })).toBe('2026-01-05');
    }
  });

  it.each(['America/Los_Angeles', 'Pacific/Kiritimati'])(
    'write a calendar date on its day for every reader, whose zones would show another: %s',
    (timezone) => {
      const text = '{{day | chat_date:"{date_long} {time}"}}';
      expect(written(text, data, { timezone })).toBe('Jan 5, 2026');
    },
  );

  it.each([
    // The clock of these tests stands at 2026-11-21T08:30:00Z, a Saturday.
    ['2026-11-21', 'UTC', 'today'],
    ['2026-11-22', 'UTC', 'tomorrow'],
    ['2026-11-20', 'America/Los_Angeles', 'yesterday'],
    ['2026-11-21', 'Pacific/Kiritimati', 'today'],
    ['2026-11-24', 'UTC', 'in 3 days'],
    ['0001-01-01', 'UTC', '2,027 years ago'],
    ['2026-11-19T09:00:00Z', 'UTC', '2 days ago'],
    ['2026-11-20T08:00:00Z', 'UTC', 'yesterday'],
    ['2026-11-23T00:30:00Z', 'UTC', 'in 2 days'],
    ['2026-11-23T00:30:00Z', 'America/Los_Angeles', 'tomorrow'],
    ['2026-11-21T00:30:00Z', 'UTC', '8 hours ago'],
    ['2026-11-09T00:00:00Z', 'UTC', '1 week ago'],
    ['2026-09-25T00:00:00Z', 'UTC', '1 month ago'],
    ['2024-12-01T00:00:00Z', 'UTC', '1 year ago'],
    ['2026-11-21T08:30:00Z', 'UTC', 'now'],
  ])(
    'count days by the calendar, so that yesterday is the day before: %s in %s is %s',
    (at, timezone, ago) => {
      expect(written('{{at | time_ago}}', { at }, { timezone })).toBe(ago);
    },
  );

  it('choose the plural form by the rules of the language', () => {
    expect(written('{{n | plural:"день","дня"}}', { n: 21 }, { locale: 'ru' })).toBe('день');
  });

  it.each(['ja', 'zh-CN', 'ko', 'vi', 'th'])(
    'take the first word for one where a language has one form: %s',
    (locale) => {
      const text = '{{n | plural:"item","items"}}';
      expect([1, '1', [0], 0, 2].map((n) => written(text, { n }, { locale }))).toEqual([
        ...['item', 'item', 'item'],
        ...['items', 'items'],
      ]);
    },
  );

  it.each([
    '{{name | number:2}}',
    '{{name | date:"short"}}',
    '{{name | mention}}',
    '{{name | channel}}',
    '{{name | link:"x"}}',
    '{{name | join:", "}}',
    '{{name | time_ago}}',
    '{{name | first}}',
  ])('leave a value that they cannot work on and warn: %s', (text) => {
    const { blocks, warnings } = compile([section(text)], data);
    expect(textsOf(blocks)).toEqual(['ada lovelace']);
    expect(warnings).toEqual([expect.stringMatching(/^\/0\/text\/text: `\w+` is an? \w+ and not /)]);
  });

  it.each(['2026-02-30', '2026-13-01', 'yesterday', '2026-01-01T25:00', ''])(
    'refuse %j as a date',
    (value) => {
      expect(written('[{{value | date:"YYYY"}}]', { value })).toBe(`[${value}]`);
    },
  );

  it('make marks in mrkdwn alone', () => {
    const { blocks } = compile([header('{{user | mention}} {{channel | channel}} {{url | link:"x"}}')], data);
    expect(textsOf(blocks)).toEqual([`U0ADA C0GENERAL ${data.url}`]);
    expect(String(textsOf(compile([header('{{at | chat_date:"{time}"}}')], data).blocks)[0])).toMatch(
      /^Nov 20, 2026/,
    );
  });

  it('let a link be neither closed nor given another label by its address', () => {
    const evil = 'https://e.com/">x|<!channel>';
    expect(written('{{url | link:"ok"}}', { url: evil })).toBe('<https://e.com/%22%3Ex%7C%3C!channel%3E|ok>');
  });

  it('link an address of which parts have to be encoded, as links of the template do', () => {
    const url = ' https://e.com/my report.pdf?q=a b ';
    expect(written('{{url | link:"ok"}}', { url })).toBe('<https://e.com/my%20report.pdf?q=a%20b|ok>');
    expect(written('{{url | link:"ok"}}', { url: 'https://e com/' })).toBe('https://e com/');
  });

  it.each([
    ['ru', '26 ноября', 'ноябрь 2026'],
    ['pl', '26 listopada', 'listopad 2026'],
    ['fi', '26 marraskuuta', 'marraskuu 2026'],
    ['de', '26 November', 'November 2026'],
    ['ca', '26 novembre', 'novembre 2026'],
    ['ja', '26 11月', '11月 2026'],
  ])('write the month as their language does behind a day, and without one: %s', (locale, day, month) => {
    const text = '{{at | date:"D MMMM"}} / {{at | date:"MMMM YYYY [D]"}}';
    expect(written(text, { at: '2026-11-26' }, { locale })).toBe(`${day} / ${month} D`);
  });

  it.each([
    ['.5', '0.50 50%'],
    ['-.5', '-0.50 -50%'],
    ['5.', '5.00 500%'],
    ['.5e1', '5.00 500%'],
  ])('read a number as programs print it: %s', (n, text) => {
    expect(written('{{n | number:2}} {{n | percent}}', { n })).toBe(text);
  });

  it('do not link what is no web address', () => {
    expect(written('{{url | link:"ok"}}', { url: 'javascript:alert(1)' })).toBe('javascript:alert(1)');
  });

  it.each([
    ['{{a | truncate:0}}', 'filter.arguments'],
    ['{{a | truncate}}', 'filter.arguments'],
    ['{{a | default}}', 'filter.arguments'],
    ['{{a | number:21}}', 'filter.arguments'],
    ['{{a | currency:"dollars"}}', 'filter.arguments'],
    ['{{a | date:"qqqq"}}', 'filter.arguments'],
    ['{{a | date:short}}', 'filter.arguments'],
    ['{{a | chat_date:"no token"}}', 'filter.arguments'],
    ['{{a | chat_date:"{date}|x"}}', 'filter.arguments'],
    ['{{a | upper:1}}', 'filter.arguments'],
    ['{{a | mention | upper}}', 'filter.order'],
    ['{{a | raw | default:"x" | upper}}', 'filter.order'],
    ['{{a | uper}}', 'filter.unknown'],
    ['{{a | constructor}}', 'filter.unknown'],
  ])('are checked when the template is written: %s', (text, rule) => {
    expect(problemsOf([section(text)])).toMatchObject([{ rule, pointer: '/0/text/text' }]);
  });

  it('are named when they are nearly right', () => {
    expect(problemsOf([section('{{a | uper}}')])).toMatchObject([{ hint: 'Did you mean `upper`?' }]);
  });
});
