import { sliceOfErasure } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { eraseOwn, findErasable } from '../store/erasures.ts';

/**
 * Erases this service's own rows of deleted organizations, once all others have. A big one goes on at the next run, so
 * that it holds up no other; neither does one that cannot be erased, which fails the run after all have been tried.
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
