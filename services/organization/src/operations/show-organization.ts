import { notFound, showOrganization as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { erasuresOf } from '../store/erasures.ts';
import { findDetails } from '../store/organization-details.ts';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Shows an organization to operators, with the progress of its erasure if it is deleted. */
export const showOrganization = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input }) => {
    const found = await findDetails(database, input.organization_id);
    if (!found) throw notFound('organization');
    const erasures = await erasuresOf(database, found.id);
    const { id, name, tier, status, balance, reserved } = found;
    return {
      id,
      name,
      tier,
      status,
      balance,
      reserved,
      created_at: found.created_at.toISOString(),
      deleted_at: time(found.deleted_at),
      erased_at: time(found.erased_at),
      erasures: erasures.map(({ service, erased_at, erased_rows }) => ({
        service,
        erased_at: time(erased_at),
        rows: erased_rows,
      })),
    };
  });
