import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { generatedPages } from './pages.ts';

describe('pages made from the code', () => {
  it.each(Object.entries(generatedPages()))('%s is up to date (npm run docs writes it)', (file, text) => {
    expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toBe(text);
  });
});
