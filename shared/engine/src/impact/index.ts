/** What another version of a template means for its callers: the inputs that change, and what becomes of stored data. */

export { type ComparedInputs, compareInputs, type RetypedInput } from './compare-inputs.ts';
export { type DataEffect, type Effect, effectOf, effects } from './effect-of.ts';
