import { createContext, useContext } from 'react';
import type { Placeholder } from './placeholders.ts';

/** What a form of the editor knows of the whole document. */
export interface Surroundings {
  /** Chooses the row at a pointer, with the focus in its form. */
  readonly choose: (pointer: string) => void;
  /** The values that a text at a pointer can name. */
  readonly placeholders: (pointer: string) => readonly Placeholder[];
}

/** See {@link Surroundings}; a form outside of the editor knows nothing. */
export const SurroundingsContext = createContext<Surroundings>({
  choose: () => undefined,
  placeholders: () => [],
});

/** See {@link Surroundings}. */
export const useSurroundings = (): Surroundings => useContext(SurroundingsContext);
