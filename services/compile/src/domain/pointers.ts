import type { Problem } from '@stanza/contracts';
import { fallbackPointer } from '@stanza/engine';

/** The engine points into the list of blocks, or to the fallback text beside it; callers have both in one object. */
export const pointerOfTemplate = (pointer: string): string =>
  pointer === fallbackPointer ? pointer : `/blocks${pointer}`;

/** Problems with pointers into `{blocks, fallback_text}`, as in every answer. */
export const problemsOfTemplate = (problems: readonly Problem[]): Problem[] =>
  problems.map((it) => ({ ...it, pointer: pointerOfTemplate(it.pointer) }));

/** A warning of the engine, whose leading pointer, if any, is rewritten like that of a problem. */
export const warningOfTemplate = (warning: string): string =>
  warning.startsWith('/') && !warning.startsWith(`${fallbackPointer}: `) ? `/blocks${warning}` : warning;
