/**
 * Milliseconds for which the steps of sends gather under load, so that those of an organization are made together. A
 * sender with one request in flight never waits.
 */
export const gatherMs = 20;
