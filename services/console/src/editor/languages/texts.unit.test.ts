import { describe, expect, it } from '@jest/globals';
import { rowsBeside, tableOf, textsIn, withRows } from './texts.ts';

const translations = {
  en: { title: 'Hello', items: { plural: 'n', one: 'one', other: '{{n}}' } },
  de: { title: 'Hallo' },
};
const blocks = [{ type: 'divider' }, { type: 'directive', directive: '#translations', translations }];

describe('the table of languages', () => {
  it('has a row for each text and form, and says how many texts each language has', () => {
    const { languages, rows } = tableOf(textsIn(blocks));
    expect(languages).toEqual([
      { language: 'en', has: 2, of: 2 },
      { language: 'de', has: 1, of: 2 },
    ]);
    expect(rows.map(({ key, form }) => `${key} ${form}`)).toEqual([
      'title ',
      'items plural',
      'items one',
      'items other',
    ]);
  });

  it('changes a text in its place, and keeps the row of one that is emptied', () => {
    const before = tableOf(textsIn(blocks)).rows;
    const texts = new Map([['en', '']]);
    const emptied = withRows(blocks, [{ key: 'title', form: '', texts: new Map([...texts, ['de', '']]) }]);
    expect(textsIn(emptied)).toEqual({ en: { items: translations.en.items }, de: {} });
    expect(emptied[0]).toBe(blocks[0]);
    const shown = rowsBeside(before, tableOf(textsIn(emptied)).rows);
    expect(shown.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
    expect(shown[0]?.texts.size).toBe(0);
  });
});
