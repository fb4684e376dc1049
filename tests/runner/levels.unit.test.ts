import { describe, expect, it } from '@jest/globals';
import { readSelection, usualChecks } from './levels.ts';

describe('what npm test runs', () => {
  it('is everything when nothing is named, but for what takes minutes', () => {
    expect(readSelection([])).toEqual({ checks: usualChecks, paths: [] });
    expect(usualChecks).toEqual([
      'types',
      'lint',
      'unit',
      'int',
      'contract',
      'tenancy',
      'e2e',
      'conformance',
      'browser',
    ]);
    for (const long of ['faults', 'rollout', 'images'])
      expect(readSelection([long])).toEqual({ checks: [long], paths: [] });
  });

  it('is the named levels, and of those the files with the named parts', () => {
    expect(readSelection(['unit', 'int', 'credits'])).toEqual({
      checks: ['unit', 'int'],
      paths: ['credits'],
    });
  });

  it('is every usual level of the named files when no level is named', () => {
    const levels = ['unit', 'int', 'contract', 'tenancy', 'e2e', 'conformance', 'browser'];
    expect(readSelection(['credits'])).toEqual({ checks: levels, paths: ['credits'] });
  });
});
