import { isObject } from '@stanza/engine';
import { describeBlocks } from '@stanza/engine/testing';
import { compileExhibit, programOf } from './compile.ts';
import type { Exhibit } from './exhibits.ts';

type Json = Readonly<Record<string, unknown>>;

/** Every object inside a value. */
const objectsIn = (value: unknown): Json[] => {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
};

const textsOf = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');

/** The parts of its compiled blocks, each as `table:type` of the engine's tables. */
const typesOf = (exhibit: Exhibit): string[] => {
  const { blocks } = compileExhibit(exhibit);
  const inside = describeBlocks(blocks).flatMap(({ description, value }) =>
    description.kind === 'one_of' && isObject(value) ? [`${description.table}:${String(value.type)}`] : [],
  );
  return [...blocks.map(({ type }) => `blocks:${type}`), ...inside];
};

/** The parts that only the template has: forms bound to a list, interactions, directives and operators. */
const wordsOf = (exhibit: Exhibit): string[] => {
  const { blocks } = exhibit.kind === 'message' ? exhibit.written : exhibit.source;
  const objects = objectsIn(blocks);
  const interactions = objects.flatMap(({ interaction }) => objectsIn(interaction));
  return [
    ...textsOf(objects.filter(({ type }) => type === 'chart').map(() => 'blocks:chart')),
    ...objects
      .filter(({ source: list }) => list !== undefined)
      .map(({ type }) => `bound:${String(type ?? 'list')}`),
    ...interactions.map(({ type }) => `interactions:${String(type)}`),
    ...textsOf(objects.map(({ directive }) => directive)).map((name) => `directives:${name}`),
    ...textsOf(objects.map(({ operator }) => operator)).map((name) => `operators:${name}`),
  ];
};

/** Every word of the template language that an exhibit uses, as `table:word`. */
export const usedBy = (exhibit: Exhibit): Set<string> =>
  new Set([
    ...typesOf(exhibit),
    ...wordsOf(exhibit),
    ...programOf(exhibit).reads.flatMap(({ filters }) => filters.map((name) => `filters:${name}`)),
  ]);
