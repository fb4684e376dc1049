import { CodedError, type StoredKind } from '@stanza/contracts';
import type { Queryable, Transaction } from '../database/database.ts';
import { findRow } from '../database/find-row.ts';
import { statement } from '../database/statement.ts';
import type { Tenant } from '../database/tenant.ts';
import type { Allowance } from './follow.ts';

/** The kinds in errors. */
const words: Readonly<Record<StoredKind, string>> = {
  templates: 'templates',
  versions: 'versions of a template or a modal',
  modals: 'modals',
  entities: 'entities',
  entity_fields: 'fields of an entity',
  sample_data: 'pieces of sample data',
  destinations: 'destinations',
  queues: 'queues',
  api_keys: 'API keys that work',
  invitations: 'pending invitations',
  members: 'members, those that are deactivated included',
  scheduled_messages: 'active scheduled messages',
  scheduled_data_bytes: 'bytes of data of active scheduled messages',
  bytes: 'bytes of templates, drafts, modals and sample data',
};

/** Seconds after which a refused request may be repeated: room comes by a deletion or another tier, not by itself. */
const retryAfter = 3_600;

/** The refusal of what a tier does not allow. */
export const tierLimit = (kind: StoredKind, most: number): CodedError =>
  new CodedError('tier_limit', {
    message: `The tier allows ${most} ${words[kind]}; delete what is no longer needed, or change the tier.`,
    retry_after: retryAfter,
  });

/**
 * Refuses another one of a kind when the tier allows no more.
 * @param stored how many there are without it
 * @throws CodedError `tier_limit`
 */
export const checkRoomOf = (kind: StoredKind, allowance: Allowance, stored: number): void => {
  const most = allowance?.[kind];
  if (most !== undefined && stored >= most) throw tierLimit(kind, most);
};

const lock = statement<Record<string, never>>(
  'stored-lock',
  "select pg_advisory_xact_lock(hashtextextended('stored of ' || $1, 0))",
);

/**
 * Keeps other requests of an organization from storing more until the transaction ends. It is taken before the locks
 * of rows, so that two requests never wait for each other.
 */
export const lockStored = async ({ organizationId }: Tenant, tx: Transaction): Promise<void> => {
  await tx.query(lock, [organizationId]);
};

/** What is counted, over both environments of an organization. */
export interface StoredRows {
  kind: StoredKind;
  table: string;
  /** Which rows count; all of them where it is absent. */
  where?: string;
}

/** Counts what an organization stores of one kind, and refuses what its tier does not allow. */
export interface StoredCount {
  /**
   * Refuses another row when there are as many as the tier allows. Requests of the organization take turns, so that two
   * never take the last place together. A row of the same operation does not count, so that a repeat finds it.
   * @throws CodedError `tier_limit`
   */
  check(tenant: Tenant, tx: Transaction, allowance: Allowance, operationId: string): Promise<void>;
  /** The number of rows. */
  count(db: Queryable, organizationId: string): Promise<number>;
}

/** Declares how rows of a kind are counted; their table has the columns `organization_id` and `operation_id`. */
export const storedCount = ({ kind, table, where = 'true' }: StoredRows): StoredCount => {
  const name = kind.replaceAll('_', '-');
  const others = statement<{ stored: number }>(
    `stored-others-${name}`,
    `select count(*) as stored
     from (
       select
       from ${table}
       where organization_id = $1 and operation_id <> $2 and ${where}
       limit $3) as counted`,
  );
  const all = statement<{ stored: number }>(
    `stored-${name}`,
    `select count(*) as stored
     from ${table}
     where organization_id = $1 and ${where}`,
  );
  return {
    async check(tenant, tx, allowance, operationId) {
      const most = allowance?.[kind];
      if (most === undefined) return;
      await lockStored(tenant, tx);
      const found = await findRow(tx, others, [tenant.organizationId, operationId, most]);
      checkRoomOf(kind, allowance, found?.stored ?? 0);
    },
    async count(db, organizationId) {
      return (await findRow(db, all, [organizationId]))?.stored ?? 0;
    },
  };
};
