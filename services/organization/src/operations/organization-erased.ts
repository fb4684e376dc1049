import { organizationErased as declaration } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { noteErased } from '../store/erasures.ts';

/** Records that another service has erased all its data of a deleted organization. */
export const organizationErased = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(declaration, async ({ input: { organization_id, service, rows } }) => {
    await database.transaction((tx) => noteErased(tx, organization_id, service, rows, clock.now()));
    return {};
  });
