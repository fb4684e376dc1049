import { describe, expect, it } from '@jest/globals';
import { dependencies, licences } from './dependencies.ts';

/** Permissive licences: use, change and distribution are free, and only the text must be kept. */
const permissive =
  /^(MIT|MIT-0|ISC|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|0BSD|CC0-1\.0|Unlicense|BlueOak-1\.0\.0|Python-2\.0|\(.* OR .*\)|.* AND .*)$/;

describe('the packages that a running Stanza loads', () => {
  it.each(dependencies().map((it) => [it.name, it] as const))(
    'say what %s is for, in which version',
    (_, it) => {
      expect(it.reason).not.toBe('');
      expect(it.version).toMatch(/^\d+\.\d+\.\d+/);
      expect(it.licence).toMatch(permissive);
    },
  );

  it('are, with all that they load, under licences that ask for nothing', () => {
    expect([...licences().keys()].filter((licence) => !permissive.test(licence))).toEqual([]);
  });
});
