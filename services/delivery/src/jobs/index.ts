import type { Kit } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { forgetQuietChannels } from '../store/channel-slots.ts';
import { forgetWithdrawn } from '../store/reservations.ts';
import { endAbandonedMessages } from './abandoned-messages.ts';
import { lookUpUnknownMessages } from './unknown-messages.ts';

const sweepMs = 2_000;
const forgetMs = 10 * 60_000;
/** Milliseconds that a withdrawn operation is remembered; no request lives longer than half a minute. */
const withdrawnMs = 24 * 60 * 60_000;

/** Starts what the service does beside its requests. Every replica does it; row locks keep them apart. */
export const startJobs = (parts: Parts, every: Kit<unknown>['every']): void => {
  every('end-abandoned-messages', sweepMs, (signal) => endAbandonedMessages(parts, signal));
  every('look-up-unknown-messages', sweepMs, (signal) => lookUpUnknownMessages(parts, signal));
  every('forget', forgetMs, async () => {
    await forgetQuietChannels(parts.database);
    await forgetWithdrawn(parts.database, new Date(parts.clock.now().getTime() - withdrawnMs));
  });
};
