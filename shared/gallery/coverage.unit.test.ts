import { describe, expect, it } from '@jest/globals';
import { directives, filters, operators } from '@stanza/engine';
import { catalogue } from '@stanza/engine/testing';
import { exhibits } from './exhibits.ts';
import { usedBy } from './used.ts';

const used = new Set(exhibits.flatMap((exhibit) => [...usedBy(exhibit)]));

/** The engine's own lists: a word that is new in one of them is missing here until a template shows it. */
const language = {
  ...catalogue,
  directives,
  operators,
  filters: Object.fromEntries(filters.map((filter) => [filter.name, filter])),
  bound: { table: {}, data_table: {}, chart: {}, carousel: {}, list: {} },
};

describe('the gallery', () => {
  it.each(Object.entries(language))('shows every word of the language: %s', (table, words) => {
    const names = Object.keys(words);
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !used.has(`${table}:${name}`))).toEqual([]);
  });
});
