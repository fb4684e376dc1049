/** Whether every generated case is wanted: with `STANZA_CASES=full`, as in the workflows. */
export const wantsAll = process.env.STANZA_CASES === 'full';

/**
 * How many generated cases a property is tried with. A usual run tries a few, which finds what a change has just
 * broken; the workflows try all.
 */
export const cases = (all: number, few = Math.ceil(all / 20)): number => (wantsAll ? all : few);
