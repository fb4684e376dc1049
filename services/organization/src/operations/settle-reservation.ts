import { CodedError, settleReservation as declaration, type InputOf } from '@stanza/contracts';
import { coalesce, handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { itemsOf, settlementsOf } from '../domain/settlement.ts';
import { findOrganization } from '../store/organizations.ts';
import { type SettledWork, settleTogether } from '../store/settlements.ts';

/** Operations in one statement at most; one of a bulk send has up to a hundred messages. */
const maxWorks = 64;
/** Milliseconds for which settlements gather under load; nobody waits for them. */
const gatherMs = 10;

const worksOf = (input: InputOf<typeof declaration>): SettledWork[] =>
  settlementsOf(input).map((settlement) => ({
    tenant: new Tenant(input.organization_id, settlement.environment),
    operationId: settlement.operation_id,
    items: itemsOf(settlement),
  }));

/**
 * Charges the messages that the platform accepted, under the ids that delivery chose, and releases the others. The
 * settlement of a message has a unique key, so a repeated call changes nothing. Operations of one organization that arrive
 * during a statement share the next one. Those of a missing reservation are refused, after the others are settled.
 */
export const settleReservation = ({
  clock,
  database,
  metrics,
}: Pick<Dependencies, 'clock' | 'database' | 'metrics'>) => {
  const settle = coalesce<SettledWork, number | undefined>({
    name: 'settle-reservations',
    gatherMs,
    key: ({ tenant }) => tenant.organizationId,
    maxBatch: maxWorks,
    metrics,
    run: (works, organizationId) => settleTogether(database, organizationId, works, clock.now()),
  });
  return handle(declaration, async ({ input }) => {
    const settled = await Promise.all(worksOf(input).map(settle));
    // An erased organization has no reservations; a call whose answer was lost is repeated after that.
    if (settled.includes(undefined) && (await findOrganization(database, input.organization_id))) {
      throw new CodedError('not_found', { message: 'The reservation does not exist.' });
    }
    return {};
  });
};
