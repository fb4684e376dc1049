import type { Problem } from '@stanza/contracts';
import { fallbackPointer } from '@stanza/engine';

/** The engine points into the list of blocks, or at the fallback text beside it; callers know both as one object. */
const pointerOfTemplate = (pointer: string): string =>
  pointer === fallbackPointer ? pointer : `/blocks${pointer}`;

/** Problems with pointers into `{blocks, fallback_text}`, as every answer has them. */
export const problemsOfTemplate = (problems: readonly Problem[]): Problem[] =>
  problems.map((it) => ({ ...it, pointer: pointerOfTemplate(it.pointer) }));

/** A warning of the engine, which begins with the pointer where it is about one place, with that pointer made whole. */
export const warningOfTemplate = (warning: string): string =>
  warning.startsWith('/') && !warning.startsWith(`${fallbackPointer}: `) ? `/blocks${warning}` : warning;
