import type { Actor, Environment } from '@stanza/contracts';
import { EntitySchema } from 'typeorm';

/** A line of the audit log. */
export interface AuditRow {
  /** Of the message that brought it, where another service made the change. */
  id: string;
  organization_id: string;
  /** Null for what belongs to both environments. */
  environment: Environment | null;
  actor_type: Actor['type'];
  actor_id: string;
  actor_user_id: string | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  changes: Record<string, unknown>;
  request_id: string;
  client_address: string | null;
  user_agent: string | null;
  /** When it was written here, by the clock of the database; those of other services arrive later than `at`. */
  recorded_at: Date;
  at: Date;
}

/** See {@link AuditRow}. */
export const auditEntity = new EntitySchema<AuditRow>({
  name: 'audit_log',
  columns: {
    id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'audit_log_pk' },
    organization_id: { type: 'uuid' },
    environment: { type: 'text', nullable: true },
    actor_type: { type: 'text' },
    actor_id: { type: 'text' },
    actor_user_id: { type: 'uuid', nullable: true },
    action: { type: 'text' },
    subject_kind: { type: 'text' },
    subject_id: { type: 'text' },
    changes: { type: 'jsonb' },
    request_id: { type: 'text' },
    client_address: { type: 'text', nullable: true },
    user_agent: { type: 'text', nullable: true },
    recorded_at: { type: 'timestamptz', precision: 3, default: () => 'now()' },
    at: { type: 'timestamptz', precision: 3 },
  },
  checks: [{ name: 'audit_log_environment', expression: "environment in ('production', 'preview')" }],
  indices: [
    { name: 'audit_log_newest', columns: ['organization_id', 'at', 'id'] },
    { name: 'audit_log_recorded', columns: ['organization_id', 'recorded_at', 'id'] },
    { name: 'audit_log_arrival', columns: ['recorded_at', 'id'] },
    { name: 'audit_log_subject', columns: ['organization_id', 'subject_id', 'at', 'id'] },
  ],
});
