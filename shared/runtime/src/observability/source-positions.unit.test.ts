import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorFields } from './log.ts';
import { withSourcePositions } from './source-positions.ts';

describe('withSourcePositions', () => {
  let folder = '';
  const addressOf = (name: string): string => pathToFileURL(join(folder, name)).href;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stanza-maps-'));
    // The second line of the module, from its fifth column, is the fourth of the source, from its third.
    const map = { version: 3, file: 'a.js', sources: ['../src/a.ts'], names: [], mappings: 'AAAA;IAGE' };
    await writeFile(join(folder, 'a.js.map'), JSON.stringify(map));
    await writeFile(join(folder, 'broken.js.map'), '{');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('names the place in the source of each module with a map', () => {
    const stack = `Error: lost\n    at read (${addressOf('a.js')}:2:5)\n    at ${addressOf('a.js')}:1:1`;
    const source = new URL('../src/a.ts', addressOf('a.js')).href;
    expect(withSourcePositions(stack)).toBe(`Error: lost\n    at read (${source}:4:3)\n    at ${source}:1:1`);
  });

  it('keeps the place in a module without a map, with a broken one, or of a package', () => {
    const stack = ['none.js', 'broken.js', 'node_modules/x/a.js']
      .map((name) => `    at f (${addressOf(name)}:2:5)`)
      .join('\n');
    expect(withSourcePositions(stack)).toBe(stack);
  });

  it('is what the log says of an error', () => {
    const error = new Error('lost');
    error.stack = `Error: lost\n    at read (${addressOf('a.js')}:2:5)`;
    expect(errorFields(error).stack).toMatch(/at read \(file:.*\/src\/a\.ts:4:3\)$/);
  });
});
