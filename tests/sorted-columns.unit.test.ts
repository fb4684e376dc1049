import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const files = globSync('services/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/(testing|migrations)\//.test(file),
);

/** A column selected as a text, without a name of its own, and then sorted by. */
const sortedText = /\bselect (?:\w+\.)?(\w+)::text\b(?! as)[^`]*?\border by (?:[\w ]+, )*\1\b/;

describe('statements of the services', () => {
  it('A statement sorts by a column, which an index may hold, and not by the text that it selects of it', () => {
    // The name of an output column has precedence in `order by`, so all rows would be sorted for a page of them.
    expect(sortedText.test('select id::text from messages order by created_at, id desc')).toBe(true);
    const found = files.filter((file) =>
      sortedText.test(readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ')),
    );
    expect(found).toEqual([]);
  });
});
