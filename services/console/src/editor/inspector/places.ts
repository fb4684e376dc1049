import { createContext, useContext } from 'react';
import type { Placeholder } from './placeholders.ts';

/** What a form of the editor knows of the whole document. */
export interface Places {
  /** Chooses the row at a pointer, with the focus in its form. */
  readonly choose: (pointer: string) => void;
  /** The values that a text at a pointer can name. */
  readonly placeholders: (pointer: string) => readonly Placeholder[];
}

/** See {@link Places}; a form outside of the editor knows nothing. */
export const PlacesContext = createContext<Places>({ choose: () => undefined, placeholders: () => [] });

/** See {@link Places}. */
export const usePlaces = (): Places => useContext(PlacesContext);
