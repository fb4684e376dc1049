/**
 * The limits of the chat platform: what it refuses, checked independently of how the engine parses, with the figures,
 * closed lists and forms of the engine's table.
 */
export { findProblems } from './block-list.ts';
export type { Problem } from './checks.ts';
export { findTotalBreach } from './message-totals.ts';
export { findViewRefusal } from './view.ts';
