import { EntitySchema, type QueryRunner } from 'typeorm';
import { timestamp } from './columns.ts';

/** A message that is to leave the service, or work that another has not reported done. */
export interface OutboxRow {
  /** uuid v7: sorted by it, the oldest comes first. */
  id: string;
  kind: 'event' | 'work';
  subject: string;
  payload: unknown;
  traceparent: string | null;
  created_at: Date;
  /** When it is published, or published again. */
  due_at: Date;
  /** How often it was published. */
  attempt: number;
}

/** Work that this service has done; a second delivery of it finds its row. */
export interface InboxRow {
  message_id: string;
  consumed_at: Date;
}

/** A message that could not be handled and waits for an operator. */
export interface DeadLetterRow {
  id: string;
  message_id: string | null;
  subject: string;
  /** As it came, which need not be JSON. */
  payload: string;
  /** What stood in the way, without message content. */
  reason: string;
  deliveries: number;
  created_at: Date;
  /** When an operator dealt with it. */
  resolved_at: Date | null;
}

/** The outbox of a service. */
export const outboxEntity = new EntitySchema<OutboxRow>({
  name: 'outbox',
  columns: {
    id: { type: 'uuid', primary: true },
    kind: { type: 'text' },
    subject: { type: 'text' },
    payload: { type: 'json' },
    traceparent: { type: 'text', nullable: true },
    created_at: { ...timestamp, default: () => 'now()' },
    due_at: { ...timestamp, default: () => 'now()' },
    attempt: { type: 'integer', default: 0 },
  },
  checks: [{ name: 'outbox_kind_check', expression: "kind in ('event', 'work')" }],
  indices: [{ name: 'outbox_due_at', columns: ['due_at'] }],
});

/** The inbox of a service. */
export const inboxEntity = new EntitySchema<InboxRow>({
  name: 'inbox',
  columns: {
    message_id: { type: 'uuid', primary: true },
    consumed_at: { ...timestamp, default: () => 'now()' },
  },
  indices: [{ name: 'inbox_consumed_at', columns: ['consumed_at'] }],
});

/** The dead letters of a service. */
export const deadLetterEntity = new EntitySchema<DeadLetterRow>({
  name: 'dead_letters',
  columns: {
    id: { type: 'uuid', primary: true },
    message_id: { type: 'uuid', nullable: true },
    subject: { type: 'text' },
    payload: { type: 'text' },
    reason: { type: 'text' },
    deliveries: { type: 'integer' },
    created_at: { ...timestamp, default: () => 'now()' },
    resolved_at: { ...timestamp, nullable: true },
  },
  indices: [{ name: 'dead_letters_open', columns: ['created_at'], where: 'resolved_at is null' }],
});

/** The entities of the tables that `createRuntimeTables` makes. */
export const runtimeEntities = [outboxEntity, inboxEntity, deadLetterEntity] as const;

const tables = [
  // Rows come and go all the time: room on the page for updates, and vacuum by number instead of by share.
  `create table outbox (
     id uuid primary key,
     kind text not null check (kind in ('event', 'work')),
     subject text not null,
     payload json not null,
     traceparent text,
     created_at timestamptz(3) not null default now(),
     due_at timestamptz(3) not null default now(),
     attempt integer not null default 0
   ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  'create index outbox_due_at on outbox (due_at)',
  `create table inbox (
     message_id uuid primary key,
     consumed_at timestamptz(3) not null default now()
   )`,
  'create index inbox_consumed_at on inbox (consumed_at)',
  `create table dead_letters (
     id uuid primary key,
     message_id uuid,
     subject text not null,
     payload text not null,
     reason text not null,
     deliveries integer not null,
     created_at timestamptz(3) not null default now(),
     resolved_at timestamptz(3)
   )`,
  'create index dead_letters_open on dead_letters (created_at) where resolved_at is null',
];

/**
 * Creates outbox, inbox and dead letters in the schema that is being migrated. Every service calls it in its first
 * migration.
 */
export const createRuntimeTables = async (queryRunner: QueryRunner): Promise<void> => {
  for (const table of tables) await queryRunner.query(table);
};

/** Undoes `createRuntimeTables`. */
export const dropRuntimeTables = async (queryRunner: QueryRunner): Promise<void> => {
  await queryRunner.query('drop table dead_letters, inbox, outbox');
};
