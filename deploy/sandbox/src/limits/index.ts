/** The limits of the chat platform, implemented independently of Stanza's code: for tests of messages and views. */
export { findProblems } from './block-list.ts';
export type { Problem } from './checks.ts';
export { findTotalBreach } from './message-totals.ts';
export { findViewRefusal } from './view.ts';
