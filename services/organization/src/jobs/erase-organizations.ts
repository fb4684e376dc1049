import type { Parts } from '../parts.ts';
import { eraseOwn, findErasable } from '../store/erasures.ts';

/** Erases this service's own rows of deleted organizations, once all others have. */
export const eraseOwnOrganizations =
  ({ database, clock, log }: Pick<Parts, 'database' | 'clock' | 'log'>) =>
  async (): Promise<void> => {
    for (const organizationId of await findErasable(database)) {
      await eraseOwn(database, organizationId, clock.now());
      log.info({ organization: organizationId }, 'an organization was erased');
    }
  };
