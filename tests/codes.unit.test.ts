import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { errorCodes } from '@stanza/contracts';

const root = join(import.meta.dirname, '..');

/** The registry's own tests name codes without anything answering them, and so does this file. */
const tests = globSync('{services/*/src,shared/runtime/src,deploy/*/src,tests}/**/*.test.ts', {
  cwd: root,
}).filter((file) => file !== join('tests', 'codes.unit.test.ts'));

/** A test that makes the error itself expects nothing by it. */
const made = /new CodedError\(\s*'\w+'/g;

const expected = new Set(
  tests.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(made, '');
    return [...text.matchAll(/'([a-z_]+)'/g)].map((match) => match[1]);
  }),
);

describe('the error codes', () => {
  it('are each expected by a test', () => {
    expect(errorCodes.filter((code) => !expected.has(code))).toEqual([]);
  });
});
