import type { AuditRecord } from '@stanza/contracts';
import type { AuditRow } from './store/audit-tables.ts';

const clientOf = ({ client_address: address, user_agent }: AuditRow): AuditRecord['client'] =>
  address === null && user_agent === null ? null : { address, user_agent };

/** An audit log entry as the API shows it. */
export const presentAuditRecord = (row: AuditRow): AuditRecord => ({
  id: row.id,
  environment: row.environment,
  actor: {
    type: row.actor_type,
    id: row.actor_id,
    ...(row.actor_user_id === null ? {} : { user_id: row.actor_user_id }),
    ...(row.actor_client_id === null ? {} : { client_id: row.actor_client_id }),
    ...(row.actor_name === null ? {} : { name: row.actor_name }),
  },
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id },
  changes: row.changes,
  request_id: row.request_id,
  ...(row.operation_id === null ? {} : { operation_id: row.operation_id }),
  client: clientOf(row),
  created_at: row.at.toISOString(),
});
