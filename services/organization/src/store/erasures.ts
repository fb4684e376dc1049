import { type ErasingService, erasingServices } from '@stanza/contracts';
import {
  type Database,
  deletedAtOnce,
  eraseRows,
  inBatches,
  type Queryable,
  statement,
  type Transaction,
} from '@stanza/runtime';
import type { Erasure } from './access-tables.ts';
import { erasureEntity } from './entities.ts';
import { eraseAudit } from './erase-audit.ts';
import { forgetActors } from './forget-actors.ts';

const markDeleted = statement<{ id: string }>(
  'organization-delete',
  `update organizations
   set status = 'deleted', deleted_at = $2, updated_at = $2
   where id = $1 and status <> 'deleted'
   returning id`,
);

const requestErasures = statement<Record<string, never>>(
  'erasures-request',
  `insert into erasures (organization_id, service, requested_at)
   select $1, service, $3
   from unnest($2::text[]) as service
   on conflict do nothing`,
);

/** Marks an organization as deleted, and lists the services that have to erase its rows. */
export const endOrganization = async (tx: Transaction, organizationId: string, at: Date): Promise<void> => {
  await tx.query(markDeleted, [organizationId, at]);
  await tx.query(requestErasures, [organizationId, erasingServices, at]);
};

const markErased = statement<Record<string, never>>(
  'erasure-done',
  `update erasures
   set erased_at = $3, erased_rows = $4
   where organization_id = $1 and service = $2 and erased_at is null`,
);

/** Records that a service has erased its rows. */
export const noteErased = async (
  tx: Transaction,
  organizationId: string,
  service: ErasingService,
  rows: number,
  at: Date,
): Promise<void> => {
  await tx.query(markErased, [organizationId, service, at, rows]);
};

/** The progress of an organization's erasure. */
export const erasuresOf = (db: Queryable, organizationId: string): Promise<Erasure[]> =>
  db.orm.find(erasureEntity, { where: { organization_id: organizationId }, order: { service: 'ASC' } });

const selectErasable = statement<{ id: string }>(
  'organizations-erasable',
  `select id
   from organizations
   where status = 'deleted' and erased_at is null
     and not exists (
       select
       from erasures
       where erasures.organization_id = organizations.id and erasures.erased_at is null
     )
     and not exists (
       select
       from reservations
       where reservations.organization_id = organizations.id and closed_at is null
     )
   order by deleted_at
   limit 20`,
);

/** Deleted organizations that all other services have erased, and without reserved credits. */
export const findErasable = async (db: Queryable): Promise<string[]> =>
  (await db.query(selectErasable)).map((it) => it.id);

/**
 * The rows that stay: the organization's bare row, its account and ledger for the books, the record of the erasure, and the
 * seals, which are hashes: they show that there was a log, and how long.
 */
const kept = ['organizations', 'credit_accounts', 'credit_log', 'erasures', 'memberships', 'audit_seals'];

const deleteMemberships = statement<Record<string, never>>(
  'erase-memberships',
  `delete from memberships
   where organization_id = $1`,
);

const deleteStrangers = statement<{ id: string }>(
  'erase-strangers',
  `delete from users
   where id in (
     select id
     from users
     where not exists (select from memberships where memberships.user_id = users.id)
       and not exists (select from deactivated_members where deactivated_members.user_id = users.id)
       and not exists (select from api_keys where api_keys.user_id = users.id)
       and not exists (select from invitations where invitations.invited_by = users.id)
       and not exists (select from invitations where invitations.accepted_by = users.id)
     limit $1
     for update skip locked
   )
   returning id`,
);

/**
 * Deletes users without any organization left, with their identities; returns how many. A user referenced by an
 * organization's key or invitation is deleted with the last such organization.
 */
export const forgetStrangers = (db: Queryable): Promise<number> =>
  inBatches(() => db.query(deleteStrangers, [deletedAtOnce]));

const blank = statement<Record<string, never>>(
  'erase-organization-row',
  `update organizations
   set name = 'deleted', founding_name = '', founding_email = '', erased_at = $2, updated_at = $2
   where id = $1 and erased_at is null`,
);

/**
 * Erases this service's rows of a deleted organization, and the people without another organization.
 * @param isOver true when it is time to stop; the next call continues
 * @returns whether the erasure is complete
 */
export const eraseOwn = async (
  database: Database,
  organizationId: string,
  at: Date,
  isOver: () => boolean,
): Promise<boolean> => {
  const before = [forgetActors, eraseAudit];
  if (!(await eraseRows(database, organizationId, { except: kept, before, isOver }))) return false;
  await database.transaction(async (tx) => {
    await tx.query(deleteMemberships, [organizationId]);
    await forgetStrangers(tx);
    await tx.query(blank, [organizationId, at]);
  });
  return true;
};
