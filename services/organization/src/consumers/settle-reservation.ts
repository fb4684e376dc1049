import { settleReservation as declaration, type PayloadOf } from '@stanza/contracts';
import { coalesce, consume, type Database, PermanentFailure, type Queryable, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { itemsOfWork } from '../domain/settlement.ts';
import { type SettledWork, settleTogether } from '../store/settlements.ts';

type Payload = PayloadOf<typeof declaration>;

/** Pieces of work in one statement at most; one piece of a bulk send has up to a hundred messages. */
const mostWorks = 64;
/** Pieces of work in flight in this process; those of one organization share a connection. */
const concurrency = 128;

const workOf = ({ organization_id, environment, operation_id, items }: Payload): SettledWork => ({
  tenant: new Tenant(organization_id, environment),
  operationId: operation_id,
  items: itemsOfWork(items),
});

const existing = (settled: number | undefined): void => {
  if (settled === undefined) throw new PermanentFailure('the reservation does not exist');
};

/**
 * Charges the messages that the platform accepted, under the ids that delivery chose, and releases the others. The
 * settlement of a message has a unique key, so repeated work changes nothing. Pieces of one organization that arrive
 * during a statement share the next one.
 */
export const settleReservation = ({
  clock,
  database,
  metrics,
}: Pick<Dependencies, 'clock' | 'metrics'> & { database: Database }) => {
  const settle = (db: Queryable, organizationId: string, works: readonly SettledWork[]) =>
    settleTogether(db, organizationId, works, clock.now());
  const together = coalesce<SettledWork, number | undefined>({
    name: 'settle-reservations',
    gatherMs: 10,
    key: ({ tenant }) => tenant.organizationId,
    maxBatch: mostWorks,
    metrics,
    run: (works, organizationId) => settle(database, organizationId, works),
  });
  return consume(
    declaration,
    async (work, tx) => {
      const [settled] = await settle(tx, work.organization_id, [workOf(work)]);
      existing(settled);
    },
    {
      concurrency,
      // An account that is locked holds up the settlements of its organization alone.
      turns: { kind: 'settlements', holder: ({ organization_id }) => organization_id },
      alone: async (work) => existing(await together(workOf(work))),
    },
  );
};
