import { describe, expect, it } from '@jest/globals';
import { attempt, compile } from '../testing/compile.ts';

const date = [
  {
    type: 'rich_text',
    elements: [
      { type: 'rich_text_section', elements: [{ type: 'date', timestamp: '{{at}}', format: '{date}' }] },
    ],
  },
];
const picker = [
  {
    type: 'input',
    label: { type: 'plain_text', text: 'When' },
    element: { type: 'datetimepicker', action_id: 'a', initial_date_time: '{{at}}' },
  },
];
const made = (blocks: readonly unknown[], at: unknown): string =>
  JSON.stringify(compile(blocks, { at }).blocks);

describe('a moment of the data where the platform takes seconds', () => {
  it.each([
    1_795_726_200,
    1_795_726_200.75,
    1_795_726_200_000,
    '1795726200000',
    '1795726200',
    '2026-11-26T20:50:00Z',
    '2026-11-26 22:50:00+02',
  ])('may have any form of a moment: %j', (at) => {
    expect(made(date, at)).toContain('"timestamp":1795726200,');
    expect(made(picker, at)).toContain('"initial_date_time":1795726200}');
  });

  it.each(['2026-11-26', '26.11.2026', true, 1e22])(
    'is refused where it is none, or a day alone: %j',
    (at) => {
      for (const [blocks, pointer] of [
        [date, '/0/elements/0/elements/0/timestamp'],
        [picker, '/0/element/initial_date_time'],
      ] as const) {
        const result = attempt(blocks, { at });
        expect(result).toMatchObject({ ok: false, code: 'invalid_data', problems: [{ pointer }] });
        expect(result.ok || result.problems[0]?.message).toMatch(
          /not a moment: seconds since 1970 from \d+ to \d+/,
        );
      }
    },
  );

  it('is refused outside of what a picker takes', () => {
    expect(attempt(picker, { at: '1999-01-01T00:00:00Z' }).ok).toBe(false);
    expect(made(date, '1999-01-01T00:00:00Z')).toContain('"timestamp":915148800,');
  });

  it('is written in seconds in a template', () => {
    const written = JSON.parse(JSON.stringify(picker).replace('"{{at}}"', '1795726200000'));
    expect(attempt(written)).toMatchObject({ ok: false, problems: [{ rule: 'value.type' }] });
  });
});
