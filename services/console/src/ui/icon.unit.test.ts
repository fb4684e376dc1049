import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const src = join(import.meta.dirname, '..');

describe('the signs of the console', () => {
  it('are drawn, and no letters that fonts may lack', () => {
    const letters = /[\u2190-\u21ff\u2500-\u26ff\u2700-\u27bf\u2900-\u2bff]/u;
    // Emoji are shown as the platform does, and are what is written.
    const files = globSync('**/*.tsx', { cwd: src }).filter((file) => !file.endsWith('text-bar.tsx'));
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => letters.test(readFileSync(join(src, file), 'utf8')))).toEqual([]);
  });
});
