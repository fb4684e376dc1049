import { firstIdOf, madeAt } from '@stanza/runtime';

/** Milliseconds between the id of a message and that of its charge, at most: nothing happens between the two. */
const betweenMs = 1_000;

/** Ids from one on and below another. */
export interface IdRange {
  from: string;
  below: string;
}

/**
 * The ids among which the message of a charge is. A process makes the id of a message and then that of its charge, and its
 * ids sort by creation. So a charge needs no index of its own, which each message would be in.
 */
export const idsBeforeCharge = (creditLogId: string): IdRange => ({
  from: firstIdOf(new Date(Math.max(0, madeAt(creditLogId).getTime() - betweenMs))),
  below: creditLogId.toLowerCase(),
});
