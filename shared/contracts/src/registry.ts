import type { Operation } from './operation.ts';

/** Every operation of every service. */
export const operations: readonly Operation[] = [];
