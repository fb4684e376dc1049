import type { Parts } from '../parts.ts';
import { eraseOwn, findErasable } from '../store/erasures.ts';

/**
 * Erases this service's own rows of deleted organizations, once all others have. One that cannot be erased holds up no
 * other; it fails the run after all have been tried.
 */
export const eraseOwnOrganizations =
  ({ database, clock, log }: Pick<Parts, 'database' | 'clock' | 'log'>) =>
  async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const organizationId of await findErasable(database)) {
      try {
        await eraseOwn(database, organizationId, clock.now());
        log.info({ organization_id: organizationId }, 'an organization was erased');
      } catch (error) {
        log.error({ err: error, organization_id: organizationId }, 'an organization could not be erased yet');
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
