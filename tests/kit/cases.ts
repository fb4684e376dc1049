/** Whether every generated case is wanted: with `STANZA_CASES=full`, as in CI. */
export const wantsAll = process.env.STANZA_CASES === 'full';

/**
 * How many generated cases a property is tried with. A run on a developer's machine tries a few, which finds what a
 * change has just broken; CI tries all.
 */
export const cases = (all: number, few = Math.ceil(all / 20)): number => (wantsAll ? all : few);
