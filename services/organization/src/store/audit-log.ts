import type { AuditEntry, Environment, LogPlace, Page } from '@stanza/contracts';
import {
  type AuditContext,
  type AuditedChange,
  auditEntry,
  newId,
  type Queryable,
  statement,
  type Transaction,
} from '@stanza/runtime';
import { And, type FindOptionsWhere, LessThan, MoreThanOrEqual } from 'typeorm';
import type { AuditRow } from './audit-tables.ts';
import { auditEntity } from './entities.ts';

const insertLine = statement<Record<string, never>>(
  'audit-log-insert',
  `insert into audit_log (id, organization_id, environment, actor_type, actor_id, actor_user_id,
     action, subject_kind, subject_id, changes, request_id, at, client_address, user_agent, actor_client_id,
     actor_name, operation_id)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
   where not exists (select from organizations where id = $2::uuid and erased_at is not null)
   on conflict (id) do nothing`,
);

/** Writes an entry, unique by its id. The log of an erased organization takes none: what comes late would stay there. */
export const addAuditLine = async (tx: Transaction, id: string, entry: AuditEntry): Promise<void> => {
  const { actor, subject } = entry;
  await tx.query(insertLine, [
    id,
    entry.organization_id,
    entry.environment,
    actor.type,
    actor.id,
    actor.user_id ?? null,
    entry.action,
    subject.kind,
    subject.id,
    JSON.stringify(entry.changes),
    entry.request_id,
    entry.at,
    entry.client?.address ?? null,
    entry.client?.user_agent ?? null,
    actor.client_id ?? null,
    actor.name ?? null,
    entry.operation_id ?? null,
  ]);
};

/** Whether the log has a line of the same action on the same subject since a moment. */
export const hasRecentLine = (
  tx: Transaction,
  { organization_id, action, subject }: Pick<AuditEntry, 'organization_id' | 'action' | 'subject'>,
  since: Date,
): Promise<boolean> =>
  tx.orm.existsBy(auditEntity, {
    organization_id,
    action,
    subject_id: subject.id,
    at: MoreThanOrEqual(since),
  });

/**
 * Records a change of this service, in the transaction that makes it. Other services call `audit` of the runtime
 * instead.
 */
export const record = (tx: Transaction, context: AuditContext, change: AuditedChange): Promise<void> =>
  addAuditLine(tx, newId(), auditEntry(context, change));

/** Filters of a reader; undefined values do not filter. */
export interface AuditFilter {
  action?: string | undefined;
  subject_kind?: string | undefined;
  subject_id?: string | undefined;
  actor_user_id?: string | undefined;
  actor_id?: string | undefined;
  request_id?: string | undefined;
  environment?: Environment | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

const earliest = new Date(0);
/** The last moment with a four-digit year. */
const latest = new Date('9999-12-31T23:59:59.999Z');

/** A page of an organization's log, newest first. */
export const pageOfAuditLog = async (
  database: Queryable,
  organizationId: string,
  { from = earliest, to = latest, ...equal }: AuditFilter,
  { limit, offset, before }: { limit: number; offset: number; before: LogPlace | undefined },
): Promise<Page<AuditRow>> => {
  const given = Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined));
  const where: FindOptionsWhere<AuditRow> = {
    ...given,
    organization_id: organizationId,
    at: And(MoreThanOrEqual(from), LessThan(to)),
  };
  const lines = database.orm
    .createQueryBuilder(auditEntity, 'line')
    .where(where)
    .orderBy({ 'line.at': 'DESC', 'line.id': 'DESC' })
    .take(limit)
    .skip(offset);
  if (before)
    lines.andWhere('(line.at, line.id) < (:before_at, :before_id)', {
      before_at: before.at,
      before_id: before.id,
    });
  const [items, total] = await lines.getManyAndCount();
  return { items, total };
};
