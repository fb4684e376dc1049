import { sliceOfErasure } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { eraseOwn, findErasable } from '../store/erasures.ts';

/**
 * Milliseconds between two looks for what is to be erased: a quarter of the delay until then, at least a second and at most
 * a minute.
 */
export const eraseMs = (delayMs: number): number => Math.min(60_000, Math.max(1_000, delayMs / 4));

/**
 * Erases this service's rows of deleted organizations once all other services have erased theirs. A large organization
 * continues at the next run, so that it does not delay others. A failure does not delay others either; it fails the run
 * at the end.
 */
export const eraseOwnOrganizations =
  ({ database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>) =>
  async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const organizationId of await findErasable(database)) {
      try {
        if (!(await eraseOwn(database, organizationId, clock.now(), sliceOfErasure()))) continue;
        log.info({ organization_id: organizationId }, 'an organization was erased');
      } catch (error) {
        log.error({ err: error, organization_id: organizationId }, 'an organization could not be erased yet');
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
