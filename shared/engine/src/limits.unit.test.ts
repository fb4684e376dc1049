import { describe, expect, it } from '@jest/globals';
import { isList } from './json.ts';
import { type LimitName, limitOf, limits } from './limits.ts';
import { attempt, resolvePointer } from './testing/compile.ts';
import { type Described, describeBlocks, replaceAt } from './testing/described.ts';
import { nativeMessages, nativeView } from './testing/native-messages.ts';
import { codePoints } from './text/cut.ts';

type Source = readonly ['message' | 'view', readonly unknown[]];
const sources: Source[] = [
  ...Object.values(nativeMessages).map((blocks): Source => ['message', blocks]),
  ['view', nativeView],
];

/** The initial choice is one of the options, and a point of a chart is one of its categories, exactly. */
const belongsToAnother = (pointer: string): boolean =>
  /\/initial_option|\/(?:series|axis_config)\//.test(pointer) ||
  (/\/options\/\d+\/(?:text|description)/.test(pointer) && !pointer.includes('/option_groups/'));
/** Cells share what their table may hold. */
const isShared = (limit: LimitName): boolean => limit === 'table.cell' || limit === 'markdown.text';

/** One place for each limit and kind of value. */
const placesOf = (kinds: readonly Described['description']['kind'][]) => {
  const found = new Map<string, { source: Source; place: Described; limit: LimitName }>();
  for (const source of sources) {
    for (const place of describeBlocks(source[1])) {
      const { description, pointer } = place;
      const limit = 'limit' in description ? description.limit : undefined;
      if (limit === undefined || !kinds.includes(description.kind) || belongsToAnother(pointer)) continue;
      found.set(`${source[0]} ${limit}`, { source, place, limit });
    }
  }
  return [...found].map(([name, given]) => [name, given] as const);
};

const attemptWith = ([surface, blocks]: Source, pointer: string, value: unknown) => {
  const changed = replaceAt(blocks, pointer, value);
  return attempt(isList(changed) ? changed : [], {}, { surface });
};

describe('every limit of the platform', () => {
  it.each(placesOf(['text']))('on a text cuts it, marks the cut, counts it and warns: %s', (_, given) => {
    const { source, place, limit } = given;
    const { max } = limitOf(limit);
    const fits = attemptWith(source, place.pointer, 'x'.repeat(isShared(limit) ? 1 : max));
    expect(fits).toMatchObject({ ok: true, fieldsTruncated: 0 });
    const result = attemptWith(source, place.pointer, 'x'.repeat(max + 1));
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const cut = String(resolvePointer(result.blocks, place.pointer));
    expect(cut).toMatch(/^x+…$/);
    expect(isShared(limit) ? codePoints(cut) <= max : codePoints(cut) === max).toBe(true);
    expect(result.fieldsTruncated).toBeGreaterThan(0);
    expect(result.warnings.join()).toContain('cut at');
  });

  it.each(placesOf(['exact', 'id']))('on what a machine reads refuses it: %s', (_, given) => {
    const { source, place, limit } = given;
    const { max } = limitOf(limit);
    expect(attemptWith(source, place.pointer, 'x'.repeat(max + 1))).toMatchObject({
      ok: false,
      problems: [{ pointer: place.pointer, rule: 'limit.max', limit, max, actual: max + 1 }],
    });
  });

  it.each(placesOf(['list']))('on a list refuses one entry more, and too few: %s', (_, given) => {
    const { source, place, limit } = given;
    const { max, min = 0 } = limitOf(limit);
    const [entry] = isList(place.value) ? place.value : [];
    const result = attemptWith(source, place.pointer, Array(max + 1).fill(entry));
    if (result.ok) throw new Error('compiled');
    expect(result.problems).toContainEqual(
      expect.objectContaining({ pointer: place.pointer, rule: 'limit.max', limit, max, actual: max + 1 }),
    );
    if (min === 0) return;
    const fewer = attemptWith(source, place.pointer, []);
    if (fewer.ok) throw new Error('compiled');
    expect(fewer.problems).toContainEqual(
      expect.objectContaining({ pointer: place.pointer, rule: 'limit.min', limit, actual: 0 }),
    );
  });

  it.each(placesOf(['integer']))('on a number refuses what is out of its range: %s', (_, given) => {
    const { source, place, limit } = given;
    const { max, min = 0 } = limitOf(limit);
    for (const value of [min - 1, max + 1, min + 0.5]) {
      expect(attemptWith(source, place.pointer, value)).toMatchObject({
        ok: false,
        problems: [{ pointer: place.pointer, rule: 'value.type' }],
      });
    }
  });

  it('is looked at here, or in a test of its own', () => {
    const here = new Set(
      placesOf(['text', 'exact', 'id', 'list', 'integer']).map(([, { limit }]) => String(limit)),
    );
    const elsewhere =
      /^(?:engine|interactivity|message|partial|translations|view)\.|_total$|^markdown\.total$|^chart\.|^select\.initial$/;
    const missed = Object.keys(limits).filter((name) => !here.has(name) && !elsewhere.test(name));
    expect(missed).toEqual([]);
  });
});
