import type { Problem } from '@stanza/contracts';
import { fallbackPointer, type PartialEntry, placeIn } from '@stanza/engine';

/** The engine points into the list of blocks, or to the fallback text next to it; callers have both in one object. */
export const pointerOfTemplate = (pointer: string): string =>
  pointer === fallbackPointer ? pointer : `/blocks${pointer}`;

const inPartial = ({ key, version, pointer }: PartialEntry): string =>
  `in the partial \`${key}\` (version ${version}) at /blocks${pointer}: `;

/**
 * Problems with pointers into `{blocks, fallback_text}`, as in every answer. One inside a partial points at the entry
 * that stands for it, since the template has no more of it, and names the partial and the place in it.
 */
export const problemsOfTemplate = (
  problems: readonly Problem[],
  partials: readonly PartialEntry[] = [],
): Problem[] =>
  problems.map((it) => {
    const { pointer, partial } = placeIn(partials, it.pointer);
    const told = partial ? { message: inPartial(partial) + it.message } : {};
    return { ...it, ...told, pointer: pointerOfTemplate(pointer) };
  });

/** A warning of the engine, whose leading pointer, if any, is rewritten like that of a problem. */
export const warningOfTemplate = (warning: string, partials: readonly PartialEntry[] = []): string => {
  if (!warning.startsWith('/') || warning.startsWith(`${fallbackPointer}: `)) return warning;
  const end = warning.indexOf(': ');
  const { pointer, partial } = placeIn(partials, warning.slice(0, end));
  return `/blocks${pointer}: ${partial ? inPartial(partial) : ''}${warning.slice(end + 2)}`;
};
