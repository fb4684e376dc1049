import type { Program } from '../parse/parse-template.ts';
import type { ReadStep } from '../parse/parsed-path.ts';

const writePath = (steps: readonly ReadStep[]): string =>
  steps.reduce<string>((path, step) => {
    if (step === null) return `${path}[]`;
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');

/**
 * The paths that a template reads, each with null: what its data has to hold, flat. Items of lists are written
 * `items[].name`; a path that others go on from is left out.
 */
export const requestFormat = ({ reads }: Pick<Program, 'reads'>): Record<string, null> => {
  const leaves = new Set<string>();
  const inner = new Set<string>();
  for (const { steps } of reads) {
    for (let length = 1; length < steps.length; length += 1) inner.add(writePath(steps.slice(0, length)));
    if (steps.length > 0) leaves.add(writePath(steps));
  }
  return Object.fromEntries([...leaves].filter((path) => !inner.has(path)).map((path) => [path, null]));
};
