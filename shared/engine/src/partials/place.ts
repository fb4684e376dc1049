import type { PartialEntry } from '../parse/parse-context.ts';

/** Where something is: in the template, or in a partial that an entry of the template stands for. */
export interface Place {
  /** Pointer into the template: to the outermost entry that is a partial, where there is one. */
  readonly pointer: string;
  /** The innermost partial, with a pointer into its own blocks. */
  readonly partial?: PartialEntry;
}

/** Finds what a pointer leads to, since what a partial has is not written in the template. */
export const placeIn = (partials: readonly PartialEntry[], pointer: string): Place => {
  const around = partials
    .map((entry) => ({ entry, start: `${entry.pointer}/children` }))
    .filter(({ start }) => pointer.startsWith(`${start}/`))
    .sort((one, other) => one.start.length - other.start.length);
  const [outermost] = around;
  const innermost = around.at(-1);
  if (outermost === undefined || innermost === undefined) return { pointer };
  const { entry, start } = innermost;
  return {
    pointer: outermost.entry.pointer,
    partial: { key: entry.key, version: entry.version, pointer: pointer.slice(start.length) },
  };
};
