import type { Actor, Environment } from '@stanza/contracts';
import {
  check,
  followed,
  integer,
  jsonb,
  now,
  nullable,
  type RowOf,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';

/** An entry of the audit log. */
export const auditLog = table('audit_log', {
  columns: {
    /** Id of the message that carried it, for a change made by another service. */
    id: uuid(),
    organization_id: uuid(),
    /** Null for a change that concerns both environments. */
    environment: nullable(text<Environment>()),
    actor_type: text<Actor['type']>(),
    actor_id: text(),
    actor_user_id: nullable(uuid()),
    /** The application of a session. */
    actor_client_id: nullable(text()),
    /** Who ran the command of an operator. */
    actor_name: nullable(text()),
    action: text(),
    subject_kind: text(),
    subject_id: text(),
    changes: jsonb<Record<string, unknown>>(),
    /** Of the request, whose client may have chosen it. */
    request_id: text(),
    /** Of the request, made here; null in entries of 0.1.0. */
    operation_id: nullable(uuid()),
    client_address: nullable(text()),
    user_agent: nullable(text()),
    /** When it was written, by the clock of the database; entries of other services arrive later than `at`. */
    recorded_at: withDefault(timestamp(), now),
    at: timestamp(),
  },
  filledColumns: followed,
  primaryKey: { name: 'audit_log_pk', columns: ['id'] },
  checks: [check('audit_log_environment', "environment in ('production', 'preview')")],
  indices: [
    { name: 'audit_log_newest', columns: ['organization_id', 'at', 'id'] },
    { name: 'audit_log_recorded', columns: ['organization_id', 'recorded_at', 'id'] },
    { name: 'audit_log_arrival', columns: ['recorded_at', 'id'] },
    {
      name: 'audit_log_followed',
      columns: ['organization_id', 'recorded_at', 'id'],
      synchronize: false,
    },
    { name: 'audit_log_streamed', columns: ['recorded_at', 'id'], synchronize: false },
    { name: 'audit_log_subject', columns: ['organization_id', 'subject_id', 'at', 'id'] },
  ],
});

/** A row of {@link auditLog}. */
export type AuditRow = RowOf<typeof auditLog>;

/** A seal of the audit log of an organization. The service adds seals, and can neither change nor delete one. */
export const auditSeals = table('audit_seals', {
  columns: {
    organization_id: uuid(),
    /** From 1, without a gap. */
    number: integer(),
    previous_hash: nullable(text()),
    line_count: integer(),
    /** The place of the last entry in the order of transactions. */
    end_place: timestamp(),
    end_id: uuid(),
    lines_digest: text(),
    hash: text(),
    /** The latest moment at which an entry was written. */
    last_recorded_at: timestamp(),
    sealed_at: withDefault(timestamp(), now),
    /** Set by the database once the entries are deleted. */
    forgotten_at: nullable(timestamp()),
  },
  primaryKey: { name: 'audit_seals_pk', columns: ['organization_id', 'number'] },
  indices: [{ name: 'audit_seals_kept', columns: ['last_recorded_at'], where: 'forgotten_at is null' }],
});

/** A row of {@link auditSeals}. */
export type AuditSealRow = RowOf<typeof auditSeals>;

/** The position of the stream of the audit log. */
export const auditStreams = table('audit_streams', {
  columns: {
    name: text(),
    /** The place of the last written entry, in the order of transactions. */
    recorded_at: timestamp(),
    line_id: uuid(),
    /** Set while a process writes entries. */
    leased_until: nullable(timestamp()),
  },
  primaryKey: { name: 'audit_streams_pk', columns: ['name'] },
});

/** A row of {@link auditStreams}. */
export type AuditStream = RowOf<typeof auditStreams>;
