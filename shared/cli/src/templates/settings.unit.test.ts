import { describe, expect, it } from '@jest/globals';
import { createTemplate } from '@stanza/contracts';
import { problemsAround } from './settings.ts';

const section = { type: 'section', text: { type: 'mrkdwn', text: 'x' } };

const whatFits: Record<string, unknown>[] = [
  { description: 'x'.repeat(2_000), type: 'x'.repeat(64), user_name: 'x'.repeat(80) },
  { name: '🚀'.repeat(255), fallback_text: 'x'.repeat(3_000), icon_emoji: ':+1:' },
  { locale: 'de-CH', timezone: 'Europe/Berlin', blocks: Array.from({ length: 200 }, () => section) },
];

const whatDoesNot: Record<string, unknown>[] = [
  { name: 'x'.repeat(256) },
  { name: 'two\nlines' },
  { name: 'nul\0' },
  { name: '🚀'.repeat(256) },
  { description: 'x'.repeat(2_001) },
  { description: 'half \ud800' },
  { type: 'x'.repeat(65) },
  { user_name: 'x'.repeat(81) },
  { user_name: '{{name}}' },
  { icon_emoji: 'rocket' },
  { fallback_text: 'x'.repeat(3_001) },
  { locale: 'xx' },
  { locale: 'no locale!' },
  { timezone: 'Mars/Phobos' },
  { blocks: [] },
  { blocks: Array.from({ length: 201 }, () => section) },
];

/** What the command says of a template with these settings, and whether the API takes it. */
const judged = (given: Record<string, unknown>) => {
  const { blocks = [section], ...about } = { name: 'It', ...given };
  const version = { blocks: Array.isArray(blocks) ? blocks : [], data: {} };
  return {
    pointers: problemsAround({ about, version }).map(({ pointer }) => pointer),
    isTaken: createTemplate.body?.safeParse({ ...about, blocks }).success,
  };
};

describe('the settings of a template in a file', () => {
  it.each(whatFits)('are taken as the API takes them (%#)', (given) => {
    expect(judged(given)).toEqual({ pointers: [], isTaken: true });
  });

  it.each(whatDoesNot)('are refused before a push where the API refuses them (%#)', (given) => {
    const [name = ''] = Object.keys(given);
    expect(judged(given).pointers).toEqual([`/${name}`]);
  });

  // What cannot be stored is refused before the schema of the operation is asked.
  it.each(whatDoesNot.filter((it) => !/\\u0000|\\ud800/.test(JSON.stringify(it))))(
    'are refused by the schema of the API too (%#)',
    (given) => {
      expect(judged(given).isTaken).toBe(false);
    },
  );
});
