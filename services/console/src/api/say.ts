import { createContext, useContext } from 'react';

const context = createContext<(words: string) => void>(() => undefined);

/** Gives the screens below it a way to say what a change did. */
export const SayProvider = context.Provider;

/** Says what a change did, above the page for a while. */
export const useSay = (): ((words: string) => void) => useContext(context);
