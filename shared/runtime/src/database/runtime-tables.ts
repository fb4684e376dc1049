import type { QueryRunner } from 'typeorm';
import { entityOf } from './entity.ts';
import {
  check,
  integer,
  json,
  now,
  nullable,
  type RowOf,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from './table.ts';

/** The outbox of a service: calls of other services that are not yet answered, and events to be published. */
export const outbox = table('outbox', {
  columns: {
    /** uuid v7: sorted by it, the oldest comes first. */
    id: uuid(),
    kind: text<'event' | 'work'>(),
    subject: text(),
    payload: json<unknown>(),
    traceparent: nullable(text()),
    created_at: withDefault(timestamp(), now),
    /** Time of the next publication. */
    due_at: withDefault(timestamp(), now),
    /** Number of publications. */
    attempt: withDefault(integer(), 0),
    /** Number of unexpected errors, of all processes together. */
    failures: withDefault(integer(), 0),
  },
  primaryKey: { columns: ['id'] },
  checks: [check('outbox_kind_check', "kind in ('event', 'work')")],
  indices: [{ name: 'outbox_due_at', columns: ['due_at'] }],
});

/** A row of {@link outbox}. */
export type OutboxRow = RowOf<typeof outbox>;

/**
 * Messages that a process of the previous version has consumed. This version neither reads nor writes it; the next drops it.
 */
export const inbox = table('inbox', {
  columns: {
    message_id: uuid(),
    consumed_at: withDefault(timestamp(), now),
  },
  primaryKey: { columns: ['message_id'] },
  indices: [{ name: 'inbox_consumed_at', columns: ['consumed_at'] }],
});

/** A row of {@link inbox}. */
export type InboxRow = RowOf<typeof inbox>;

/** The failed jobs of a service, which wait for an operator. */
export const deadLetters = table('dead_letters', {
  columns: {
    id: uuid(),
    message_id: nullable(uuid()),
    subject: text(),
    /** As received; not necessarily JSON. */
    payload: text(),
    /** Cause of the failure, without message content. */
    reason: text(),
    deliveries: integer(),
    created_at: withDefault(timestamp(), now),
    /** When an operator resolved it. */
    resolved_at: nullable(timestamp()),
  },
  primaryKey: { columns: ['id'] },
  indices: [{ name: 'dead_letters_open', columns: ['created_at'], where: 'resolved_at is null' }],
});

/** A row of {@link deadLetters}. */
export type DeadLetterRow = RowOf<typeof deadLetters>;

/** The entity of {@link outbox}. */
export const outboxEntity = entityOf(outbox);

/** The entity of {@link inbox}. */
export const inboxEntity = entityOf(inbox);

/** The entity of {@link deadLetters}. */
export const deadLetterEntity = entityOf(deadLetters);

/** The entities of the tables that `createRuntimeTables` makes. */
export const runtimeEntities = [outboxEntity, inboxEntity, deadLetterEntity] as const;

const creation = [
  // Rows are inserted and deleted all the time: free space on the page for updates, and vacuum by row count instead of
  // by share.
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

/** Creates outbox, inbox and dead letters in the schema. Every service calls it in its first migration. */
export const createRuntimeTables = async (queryRunner: QueryRunner): Promise<void> => {
  for (const table of creation) await queryRunner.query(table);
};

/** Undoes `createRuntimeTables`. */
export const dropRuntimeTables = async (queryRunner: QueryRunner): Promise<void> => {
  await queryRunner.query('drop table dead_letters, inbox, outbox');
};

/**
 * Has the inbox vacuumed when a fiftieth of it is dead instead of a fifth: it holds a row for each piece of work of a day,
 * and each is deleted once. A migration of every service that has an inbox calls it.
 */
export const vacuumInbox = async (queryRunner: QueryRunner): Promise<void> => {
  await queryRunner.query(
    'alter table inbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)',
  );
};
