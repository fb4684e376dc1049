import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';

const source = import.meta.dirname;
const files = globSync('**/*.ts', { cwd: source, exclude: ['testing', '**/*.test.ts'] }).sort();
const text = (file: string): string => readFileSync(join(source, file), 'utf8');

/** Bytes that the package may have, as bundlers leave it and servers send it. */
const budget = 12 * 1024;

describe('the package', () => {
  it('is small', () => {
    const minified = files.map(
      (file) =>
        transformSync(text(file), {
          jsc: {
            parser: { syntax: 'typescript' },
            target: 'es2024',
            minify: { compress: true, mangle: true },
          },
          module: { type: 'es6' },
          minify: true,
        }).code,
    );
    const bytes = gzipSync(minified.join('\n'), { level: 9 }).length;
    console.log(`the SDK has ${bytes} bytes`);
    expect(bytes).toBeLessThan(budget);
    expect(bytes).toBeGreaterThan(2_000);
  });

  it('imports nothing but its own files', () => {
    const imported = files.flatMap((file) =>
      [...text(file).matchAll(/\b(?:from|import)\s*\(?'([^']+)'/g)].map(([, from]) => from ?? ''),
    );
    expect(imported.length).toBeGreaterThan(20);
    expect(imported.filter((from) => !from.startsWith('.'))).toEqual([]);
  });

  it('needs nothing at run time, and runs nothing when it is installed', () => {
    const manifest = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'));
    expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
    expect(Object.keys(manifest.scripts)).toEqual(['prepack']);
  });
});
