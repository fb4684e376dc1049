import { describe, expect, it } from '@jest/globals';
import { allChecks, jestLevels, readSelection } from './levels.ts';

describe('what npm test runs', () => {
  it('is everything when nothing is named', () => {
    expect(readSelection([])).toEqual({ checks: allChecks, paths: [] });
  });

  it('is the named levels, and of those the files with the named parts', () => {
    expect(readSelection(['unit', 'int', 'credits'])).toEqual({
      checks: ['unit', 'int'],
      paths: ['credits'],
    });
  });

  it('is every level of the named files when no level is named', () => {
    expect(readSelection(['credits'])).toEqual({ checks: jestLevels, paths: ['credits'] });
  });
});
