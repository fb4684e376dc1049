import { describe, expect, it } from '@jest/globals';
import { blockSamples } from '../testing/block-samples.ts';
import { type CorpusSample, corpusSamples } from '../testing/corpus.ts';
import { findProblems } from './block-list.ts';
import type { Problem } from './checks.ts';
import { findTotalBreach } from './message-totals.ts';

function problemsOf({ blocks, surface }: CorpusSample): Problem[] {
  const problems = findProblems(blocks, surface === 'message' ? 'message' : 'view', '/blocks');
  const total = surface === 'message' && Array.isArray(blocks) ? findTotalBreach(blocks) : undefined;
  return total === undefined ? problems : [...problems, total.problem];
}

describe('the sample of each block type', () => {
  for (const [type, block] of Object.entries(blockSamples)) {
    it(`is accepted: ${type}`, () => {
      expect(problemsOf({ file: type, surface: 'message', blocks: [block] })).toEqual([]);
    });
  }
});

// The corpus is optional data next to the project; without it only the samples above are tested.
describe('payloads found in the wild', () => {
  for (const sample of corpusSamples('valid')) {
    it(`are accepted: ${sample.file}`, () => {
      expect(problemsOf(sample)).toEqual([]);
    });
  }

  for (const sample of corpusSamples('invalid')) {
    it(`are refused with a pointer when they breach "${sample.rule}": ${sample.file}`, () => {
      const pointers = problemsOf(sample).map(({ pointer }) => pointer);
      expect(pointers.length).toBeGreaterThan(0);
      for (const pointer of pointers) expect(pointer).toMatch(/^\/blocks/);
    });
  }
});
