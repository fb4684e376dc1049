import type { ServiceContext } from '@stanza/runtime';
import type { IdempotencyClaims } from '../idempotency/idempotency-claims.ts';
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
export interface JobDependencies extends Pick<ServiceContext<unknown>, 'database' | 'rpc' | 'clock' | 'log'> {
  keyed: IdempotencyClaims;
  maintenance: Maintenance;
  metrics: GatewayMetrics;
}

/** Starts what the gateway does beside its requests; answers what is to be done once more at shutdown. */
export const startJobs = (
  dependencies: JobDependencies,
  every: ServiceContext<unknown>['every'],
): (() => Promise<void>) => {
  const confirm = confirmRemembered(dependencies);
  every('confirm-remembered', confirmMs, confirm);
  every('give-back-keys', giveBackMs, () => dependencies.keyed.retry());
  every('measure-blocked', measureMs, measureBlocked(dependencies));
  every('sweep-idempotency', sweepMs, async (signal) => {
    await sweepIdempotency(dependencies)(signal);
  });
  every('read-maintenance', maintenanceMs, () => dependencies.maintenance.load());
  every('sweep-rates', sweepMs, sweepRates(dependencies));
  return async () => {
    await dependencies.keyed.retry();
    await confirm();
  };
};
