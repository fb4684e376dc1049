import { describe, expect, it } from '@jest/globals';
import { deriveInputs, inspectTranslations, runProgram } from '@stanza/engine';
import { findProblems, findTotalBreach, findViewRefusal } from '@stanza/sandbox/limits';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileExhibit, now, programOf } from './compile.ts';
import { exhibits, messages, modals } from './exhibits.ts';
import { minimalData, oneOfEach } from './minimal-data.ts';

const named = exhibits.map((exhibit) => [exhibit.slug, exhibit] as const);

const missing = (warnings: readonly string[]): string[] =>
  warnings.filter((warning) => warning.includes('is missing'));

describe('a template of the gallery', () => {
  it('is one of about forty', () => {
    expect(exhibits.length).toBeGreaterThanOrEqual(40);
    expect(messages.length + modals.length).toBe(exhibits.length);
  });

  it.each(named)('comes out as expected, with nothing missing or cut: %s', (_, exhibit) => {
    const { output, warnings, fieldsTruncated } = compileExhibit(exhibit);
    expect(output).toEqual(exhibit.expected);
    expect(warnings).toEqual([]);
    expect(fieldsTruncated).toBe(0);
  });

  it.each(named)('says in a line what it is for: %s', (_, { source }) => {
    expect(source.description).toMatch(/^\P{Ll}.{20,140}[.?]$/u);
  });

  it.each(messages.map((message) => [message.slug, message] as const))(
    'is a message that the platform takes: %s',
    (_, message) => {
      const { output, blocks } = compileExhibit(message);
      expect(findProblems(blocks, 'message', '/blocks')).toEqual([]);
      expect(findTotalBreach(blocks)).toBeUndefined();
      expect(output.text).toEqual(expect.stringMatching(/\S/));
    },
  );

  it.each(modals.map((modal) => [modal.slug, modal] as const))(
    'is a view that the platform takes: %s',
    (_, modal) => {
      expect(findViewRefusal(compileExhibit(modal).output)).toBeUndefined();
    },
  );
});

describe('the receipt of the gallery', () => {
  const receipt = messages.find(({ slug }) => slug === 'receipt');
  if (!receipt) throw new Error('there is no receipt');
  const { blocks, locale: ownLocale, timezone = 'UTC' } = receipt.source;

  it('has every text in every language', () => {
    expect(inspectTranslations(blocks, { surface: 'message', ownLocale })).toEqual({
      problems: [],
      warnings: [],
    });
  });

  it.each([
    ['de-AT', /^Danke für deine Bestellung A-4711\n21\. November 2026\n.*2 Artikel: €\u00a01.124,55/s],
    ['en-US', /^Thank you for your order A-4711\nNovember 21, 2026\n.*2 items: €1,124.55/s],
    ['ar-EG', /^شكرًا لطلبك A-4711\n.*منتجان: /s],
    ['ja', /^Danke für deine Bestellung/],
  ])('is in the language of the request, or its own: %s', (locale, text) => {
    const result = runProgram(programOf(receipt), receipt.data, { now, locale, ownLocale, timezone });
    expect(result.ok && result.text).toMatch(text);
  });
});

describe('the derived schema of a template of the gallery', () => {
  const derived = exhibits.map((exhibit) => {
    const { json_schema: schema, warnings } = deriveInputs(programOf(exhibit), exhibit.data);
    const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
    return [exhibit.slug, { exhibit, schema, validate, warnings }] as const;
  });

  it.each(derived)('accepts its data: %s', (_, { exhibit, validate, warnings }) => {
    validate(exhibit.data);
    expect(validate.errors ?? []).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it.each(derived)('asks for all that must be there: %s', (_, { exhibit, schema, validate }) => {
    for (const data of [minimalData(schema, validate), minimalData(schema, validate, oneOfEach(schema))]) {
      expect(missing(compileExhibit(exhibit, data).warnings)).toEqual([]);
    }
  });

  it('refuses data without what is always read', () => {
    const [, deploy] = derived.find(([slug]) => slug === 'deploy-alert') ?? [];
    expect(deploy?.validate({})).toBe(false);
  });
});
