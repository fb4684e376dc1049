import { describe, expect, it } from '@jest/globals';
import {
  deriveInputs,
  expandPartials,
  type FindPartial,
  inspectTranslations,
  isTranslations,
  problemsOfPartial,
  runProgram,
  usesPartials,
} from '@stanza/engine';
import { findProblems, findTotalBreach, findViewRefusal } from '@stanza/sandbox/limits';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileExhibit, now, programOf } from './compile.ts';
import { exhibits, messages, modals, partials } from './exhibits.ts';
import { minimalData, oneOfEach } from './minimal-data.ts';

const named = exhibits.map((exhibit) => [exhibit.slug, exhibit] as const);

const asBlocks = (blocks: readonly unknown[]) => blocks.map((block) => ({ type: '', ...Object(block) }));

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

const findPartial: FindPartial = (key) => {
  const found = partials.find((it) => it.key === key);
  return found ? { version: 1, blocks: asBlocks(found.blocks) } : { rule: 'partial.unknown', message: key };
};

describe('the partials of the gallery', () => {
  const using = messages.filter(({ written }) => usesPartials(asBlocks(written.blocks)));

  it('are used by ten templates', () => {
    expect(using.length).toBeGreaterThanOrEqual(10);
    expect(partials.filter(({ blocks }) => problemsOfPartial(asBlocks(blocks)).length > 0)).toEqual([]);
  });

  it.each(using.map((message) => [message.slug, message] as const))(
    'stand in a template as the service puts them there: %s',
    (_, { written, source }) => {
      const { blocks, problems } = expandPartials(asBlocks(written.blocks), findPartial);
      expect(problems).toEqual([]);
      expect(blocks.map(({ partial: __, ...block }) => block)).toEqual(source.blocks);
    },
  );
});

describe('the languages of the gallery', () => {
  const translated = messages.flatMap((message) => {
    const entry = asBlocks(message.written.blocks).find(isTranslations);
    return entry ? [[message.slug, message, Object.keys(Object(entry.translations))] as const] : [];
  });

  it('are three in each of ten templates, one of them written from right to left', () => {
    expect(translated.length).toBeGreaterThanOrEqual(10);
    for (const [, , locales] of translated) {
      expect(locales).toHaveLength(3);
      expect(locales.filter((locale) => ['ar', 'he'].includes(locale))).toHaveLength(1);
    }
  });

  it.each(translated)('have every text of a template: %s', (_, { source }) => {
    const { blocks, locale: ownLocale, fallback_text: fallbackText } = source;
    const options = { surface: 'message', ownLocale, fallbackText } as const;
    expect(inspectTranslations(asBlocks(blocks), options)).toEqual({ problems: [], warnings: [] });
  });

  it.each(translated)('each make a message that the platform takes: %s', (_, message, locales) => {
    const { locale: ownLocale, timezone } = message.source;
    const texts = locales.map((locale) => {
      const options = { now, locale, ownLocale, ...(timezone && { timezone }) };
      const result = runProgram(programOf(message), message.data, options);
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      expect(result.warnings).toEqual([]);
      expect(findProblems(result.blocks, 'message', '/blocks')).toEqual([]);
      return result.text;
    });
    expect(new Set(texts).size).toBe(locales.length);
  });

  const receipt = messages.find(({ slug }) => slug === 'receipt');
  if (!receipt) throw new Error('there is no receipt');
  const { locale: ownLocale, timezone = 'UTC' } = receipt.source;

  it.each([
    ['de-AT', /^Danke für deine Bestellung A-4711\n21\. November 2026\n.*2 Artikel: €\u00a01.124,55/s],
    ['en-US', /^Thank you for your order A-4711\nNovember 21, 2026\n.*2 items: €1,124.55/s],
    ['ar-EG', /^شكرًا لطلبك A-4711\n.*منتجان: /s],
    ['ja', /^Danke für deine Bestellung/],
  ])('are those of the request in a receipt, or its own: %s', (locale, text) => {
    const result = runProgram(programOf(receipt), receipt.data, { now, locale, ownLocale, timezone });
    expect(result.ok && result.text).toMatch(text);
  });
});

describe('the derived schema of a template of the gallery', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  const derived = exhibits.map((exhibit) => {
    const { json_schema: schema, warnings } = deriveInputs(programOf(exhibit), exhibit.data);
    const validate = ajv.compile(schema);
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
