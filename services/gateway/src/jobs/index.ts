import type { Kit } from '@stanza/runtime';
import type { KeyedRequests } from '../idempotency/idempotency-claims.ts';
import type { Maintenance } from '../limits/maintenance.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { confirmRemembered } from './confirm-remembered.ts';
import { measureBlocked } from './measure-blocked.ts';
import { sweepIdempotency } from './sweep-idempotency.ts';
import { sweepRates } from './sweep-rates.ts';

/** Well within the 20 seconds after which an unconfirmed charge is taken back. */
const confirmMs = 1_000;
const giveBackMs = 1_000;
const measureMs = 15_000;
/** Bounds how long a gateway goes on that missed the event and the next one too. */
const maintenanceMs = 5_000;
const sweepMs = 60_000;

/** What the jobs work with. */
export interface JobParts extends Pick<Kit<unknown>, 'database' | 'rpc' | 'clock' | 'log'> {
  keyed: KeyedRequests;
  maintenance: Maintenance;
  metrics: GatewayMetrics;
}

/** Starts what the gateway does beside its requests; answers what is to be done once more at shutdown. */
export const startJobs = (parts: JobParts, every: Kit<unknown>['every']): (() => Promise<void>) => {
  const confirm = confirmRemembered(parts);
  every('confirm-remembered', confirmMs, confirm);
  every('give-back-keys', giveBackMs, () => parts.keyed.retry());
  every('measure-blocked', measureMs, measureBlocked(parts));
  every('sweep-idempotency', sweepMs, async (signal) => {
    await sweepIdempotency(parts)(signal);
  });
  every('read-maintenance', maintenanceMs, () => parts.maintenance.load());
  every('sweep-rates', sweepMs, sweepRates(parts));
  return async () => {
    await parts.keyed.retry();
    await confirm();
  };
};
