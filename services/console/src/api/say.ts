import { createContext, type ReactNode, useContext } from 'react';

/** Takes what is said of a change; undefined puts away what was said before. */
export type Say = (words: ReactNode) => void;

const context = createContext<Say>(() => undefined);

/** Gives the screens below it a way to say what a change did. */
export const SayProvider = context.Provider;

/** Says what a change did, above the page for a while; one thing at a time. */
export const useSay = (): Say => useContext(context);
