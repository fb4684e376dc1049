import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectRoot } from '@stanza/local/project';
import { readSelection, shortStories, usualChecks } from './levels.ts';

describe('what npm test runs', () => {
  it('is everything when nothing is named, but for what takes minutes', () => {
    expect(readSelection([])).toEqual({ checks: usualChecks, paths: [] });
    expect(usualChecks).toEqual(['types', 'lint', 'unit', 'int', 'contract', 'tenancy', 'e2e']);
    for (const long of ['browser', 'conformance', 'faults', 'rollout', 'images'])
      expect(readSelection([long])).toEqual({ checks: [long], paths: [] });
  });

  it('is the named levels, and of those the files with the named parts', () => {
    expect(readSelection(['unit', 'int', 'credits'])).toEqual({
      checks: ['unit', 'int'],
      paths: ['credits'],
    });
  });

  it('is a few stories of the long levels where it has to be short, each of which there is', () => {
    const { checks, paths } = readSelection([], true);
    expect([checks, paths]).toEqual([['browser', 'faults', 'rollout'], shortStories]);
    for (const story of shortStories)
      expect([story, existsSync(join(projectRoot, `${story}.test.ts`))]).toEqual([story, true]);
  });

  it('is every usual level of the named files when no level is named', () => {
    const levels = ['unit', 'int', 'contract', 'tenancy', 'e2e'];
    expect(readSelection(['credits'])).toEqual({ checks: levels, paths: ['credits'] });
  });
});
