/** What the chat platform refuses, judged without anything of ours: for tests of what makes messages and views. */
export { findProblems } from './block-list.ts';
export type { Problem } from './checks.ts';
export { findTotalBreach } from './message-totals.ts';
export { findViewRefusal } from './view.ts';
