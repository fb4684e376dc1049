import { settleReservation as declaration, type PayloadOf } from '@stanza/contracts';
import { coalesce, consume, type Database, PermanentFailure, type Queryable, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { itemsOf, settlementsOf } from '../domain/settlement.ts';
import { type SettledWork, settleTogether } from '../store/settlements.ts';

type Payload = PayloadOf<typeof declaration>;

/** Operations in one statement at most; one of a bulk send has up to a hundred messages. */
const mostWorks = 64;
/** Milliseconds for which settlements gather under load; nobody waits for them. */
const gatherMs = 10;
/** Pieces of work in flight in this process; those of one organization share a connection. */
const concurrency = 128;

const worksOf = (work: Payload): SettledWork[] =>
  settlementsOf(work).map((settlement) => ({
    tenant: new Tenant(work.organization_id, settlement.environment),
    operationId: settlement.operation_id,
    items: itemsOf(settlement),
  }));

/** The others of a piece of work are settled nevertheless. */
const existing = (settled: readonly (number | undefined)[]): void => {
  if (settled.includes(undefined)) throw new PermanentFailure('a reservation does not exist');
};

/**
 * Charges the messages that the platform accepted, under the ids that delivery chose, and releases the others. The
 * settlement of a message has a unique key, so repeated work changes nothing. Operations of one organization whose work
 * arrives during a statement share the next one.
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
    gatherMs,
    key: ({ tenant }) => tenant.organizationId,
    maxBatch: mostWorks,
    metrics,
    run: (works, organizationId) => settle(database, organizationId, works),
  });
  return consume(
    declaration,
    async (work, tx) => {
      existing(await settle(tx, work.organization_id, worksOf(work)));
    },
    {
      concurrency,
      // An account that is locked holds up the settlements of its organization alone.
      turns: { kind: 'settlements', holder: ({ organization_id }) => organization_id },
      alone: async (work) => existing(await Promise.all(worksOf(work).map(together))),
    },
  );
};
