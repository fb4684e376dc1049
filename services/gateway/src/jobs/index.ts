import type { ServiceContext } from '@stanza/runtime';
import { signInLifeS } from '../console/cookies.ts';
import type { IdempotencyClaims } from '../idempotency/idempotency-claims.ts';
import type { LostAnswers } from '../idempotency/lost-answers.ts';
import type { Maintenance } from '../limits/maintenance.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { sweepSessions } from '../store/console-sessions.ts';
import { sweepSpentSignIns } from '../store/spent-sign-ins.ts';
import { confirmRemembered } from './confirm-remembered.ts';
import { measureBlocked } from './measure-blocked.ts';
import { sweepIdempotency } from './sweep-idempotency.ts';
import { sweepRates } from './sweep-rates.ts';

/** Three times within the 20 seconds after which an unconfirmed charge is reversed. */
const confirmMs = 6_000;
const giveBackMs = 1_000;
const settleMs = 15_000;
const measureMs = 15_000;
/** Bounds the effect of a missed event. */
const maintenanceMs = 15_000;
const sweepMs = 60_000;

/** The dependencies of the jobs. */
export interface JobDependencies extends Pick<ServiceContext<unknown>, 'database' | 'rpc' | 'clock' | 'log'> {
  keyed: IdempotencyClaims;
  lostAnswers: LostAnswers;
  maintenance: Maintenance;
  metrics: GatewayMetrics;
}

/** Starts the background work of the gateway; returns the work to be done once more at shutdown. */
export const startJobs = (
  dependencies: JobDependencies,
  every: ServiceContext<unknown>['every'],
): (() => Promise<void>) => {
  const confirm = confirmRemembered(dependencies);
  every('confirm-remembered', confirmMs, confirm);
  every('give-back-keys', giveBackMs, () => dependencies.keyed.retry());
  every('settle-lost-answers', settleMs, () => dependencies.lostAnswers.settleAll());
  every('measure-blocked', measureMs, measureBlocked(dependencies));
  every('sweep-idempotency', sweepMs, async (signal) => {
    await sweepIdempotency(dependencies)(signal);
  });
  every('read-maintenance', maintenanceMs, () => dependencies.maintenance.load());
  every('sweep-console-sessions', sweepMs, async () => {
    await sweepSessions(dependencies.database);
    await sweepSpentSignIns(dependencies.database, signInLifeS);
  });
  every('sweep-rates', sweepMs, sweepRates(dependencies));
  return async () => {
    await dependencies.keyed.retry();
    await confirm();
  };
};
