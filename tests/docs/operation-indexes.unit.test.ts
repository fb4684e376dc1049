import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { operationIndexes } from './operation-indexes.ts';

describe('the indexes of operations', () => {
  it.each(Object.entries(operationIndexes()))(
    '%s names every file (npm run docs writes it)',
    (file, text) => {
      expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toBe(text);
    },
  );
});
