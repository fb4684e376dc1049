import { type AuditRecord, listAuditLog as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import type { AuditRow } from '../store/audit-entity.ts';
import { pageOfAuditLog } from '../store/audit-log.ts';

const present = (row: AuditRow): AuditRecord => ({
  id: row.id,
  environment: row.environment,
  actor: {
    type: row.actor_type,
    id: row.actor_id,
    ...(row.actor_user_id === null ? {} : { user_id: row.actor_user_id }),
  },
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id },
  changes: row.changes,
  request_id: row.request_id,
  created_at: row.at.toISOString(),
});

const moment = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);

/** Shows the changes of the whole organization, whichever environment the caller is of. */
export const listAuditLog = ({ database }: Pick<Parts, 'database'>) =>
  handle(operation, async ({ tenant, input: { query } }) => {
    const { limit, offset, user_id, from, to, ...equal } = query;
    const filter = { ...equal, actor_user_id: user_id, from: moment(from), to: moment(to) };
    const { items, total } = await pageOfAuditLog(database, tenant.organizationId, filter, { limit, offset });
    return { data: items.map(present), pagination: { offset, limit, total } };
  });
