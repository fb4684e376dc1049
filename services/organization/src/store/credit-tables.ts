import type { CreditKind, CreditOperation, Environment } from '@stanza/contracts';
import {
  bigint,
  boolean,
  check,
  integer,
  now,
  nullable,
  type RowOf,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';

/** The account of an organization, always the sum of its ledger. */
export const creditAccounts = table('credit_accounts', {
  columns: {
    organization_id: uuid(),
    balance: withDefault(bigint(), 0),
    reserved: withDefault(bigint(), 0),
    /** How far below zero the balance may go, from the tier's configuration. */
    overage: bigint(),
    /** When the tier's credits of the next month are due. */
    next_grant_at: withDefault(timestamp(), { sql: "(date_trunc('month', now(), 'UTC') + '1 mon')" }),
    updated_at: withDefault(timestamp(), now),
    /** Since when few credits are left, as its owners were told; null while there are enough. */
    low_since: nullable(timestamp()),
  },
  primaryKey: { name: 'credit_accounts_pk', columns: ['organization_id'] },
  checks: [
    check('credit_accounts_reserved', 'reserved >= 0'),
    check('credit_accounts_overage', 'overage >= 0'),
  ],
  foreignKeys: [
    {
      name: 'credit_accounts_organization',
      target: 'organizations',
      columnNames: ['organization_id'],
      referencedColumnNames: ['id'],
    },
  ],
  indices: [{ name: 'credit_accounts_next_grant_at', columns: ['next_grant_at'] }],
});

/** A row of {@link creditAccounts}. */
export type CreditAccount = RowOf<typeof creditAccounts>;

/** A row of the ledger. */
export const creditLog = table('credit_log', {
  columns: {
    id: uuid(),
    organization_id: uuid(),
    kind: text<CreditKind>(),
    /** Negative for credits spent or taken away. */
    amount: bigint(),
    /** The charged operation, or the id of the grant. */
    operation_id: uuid(),
    /** Number of the message within the operation. */
    item: withDefault(integer(), 0),
    /** From 0; a later attempt follows when the one before was reversed and its operation is charged again. */
    attempt: withDefault(integer(), 0),
    /** Null for grants: both environments draw on one account. */
    environment: nullable(text<Environment>()),
    /** Null for grants, and for charges made by processes of an older version during a rollout. */
    operation: nullable(text<CreditOperation>()),
    template_id: nullable(uuid()),
    message_id: nullable(uuid()),
    actor_id: nullable(text()),
    reason: nullable(text()),
    created_at: withDefault(timestamp(), now),
  },
  primaryKey: { name: 'credit_log_pk', columns: ['id'] },
  checks: [
    check('credit_log_kind', "kind in ('grant', 'charge', 'reversal', 'adjustment')"),
    check('credit_log_environment', "environment in ('production', 'preview')"),
    check('credit_log_operation', "operation in ('compile', 'send', 'send-bulk', 'batch', 'schedule')"),
  ],
  uniques: [
    { name: 'credit_log_once', columns: ['organization_id', 'operation_id', 'item', 'kind', 'attempt'] },
  ],
  indices: [
    {
      name: 'credit_log_newest',
      columns: [
        'organization_id',
        'created_at',
        'id',
        'kind',
        'amount',
        'operation',
        'template_id',
        'actor_id',
      ],
      where: 'amount <> 0',
    },
    {
      name: 'credit_log_preview',
      columns: [
        'organization_id',
        'created_at',
        'id',
        'kind',
        'amount',
        'operation',
        'template_id',
        'actor_id',
      ],
      where: "amount <> 0 and environment = 'preview'",
    },
  ],
});

/** A row of {@link creditLog}. */
export type CreditLogEntry = RowOf<typeof creditLog>;

/** A charge whose answer is not yet confirmed. */
export const provisionalCharges = table('provisional_charges', {
  columns: {
    operation_id: uuid(),
    organization_id: uuid(),
    charged_at: timestamp(),
  },
  primaryKey: { name: 'provisional_charges_pk', columns: ['operation_id'] },
  indices: [{ name: 'provisional_charges_charged_at', columns: ['charged_at'] }],
});

/** A row of {@link provisionalCharges}. */
export type ProvisionalCharge = RowOf<typeof provisionalCharges>;

/** Credits held for the messages of an operation. */
export const reservations = table('reservations', {
  columns: {
    id: uuid(),
    organization_id: uuid(),
    environment: text<Environment>(),
    operation_id: uuid(),
    operation: withDefault(text<Exclude<CreditOperation, 'compile'>>(), 'send'),
    template_id: uuid(),
    actor_id: text(),
    /** Number of messages. */
    amount: integer(),
    /** Number of messages without an outcome. */
    open_items: integer(),
    /** The answer given when it was made. */
    remaining_credits: bigint(),
    created_at: timestamp(),
    /** When delivery is next asked for its outcomes. */
    report_due_at: timestamp(),
    closed_at: nullable(timestamp()),
  },
  primaryKey: { name: 'reservations_pk', columns: ['id'] },
  checks: [
    check('reservations_environment', "environment in ('production', 'preview')"),
    check('reservations_operation', "operation in ('send', 'send-bulk', 'batch', 'schedule')"),
    check('reservations_amount', 'amount > 0'),
    check('reservations_open_items', 'open_items between 0 and amount'),
  ],
  uniques: [{ name: 'reservations_once', columns: ['organization_id', 'operation_id'] }],
  foreignKeys: [
    {
      name: 'reservations_account',
      target: 'credit_accounts',
      columnNames: ['organization_id'],
      referencedColumnNames: ['organization_id'],
    },
  ],
  indices: [
    { name: 'reservations_report_due_at', columns: ['report_due_at'], where: 'closed_at is null' },
    {
      name: 'reservations_report_turns',
      columns: ['organization_id', 'report_due_at'],
      where: 'closed_at is null',
    },
  ],
});

/** A row of {@link reservations}. */
export type Reservation = RowOf<typeof reservations>;

/** The outcome of one message of a reservation. */
export const settlements = table('settlements', {
  columns: {
    organization_id: uuid(),
    operation_id: uuid(),
    item: integer(),
    charged: boolean(),
    /** The ledger row of a charged one. */
    credit_log_id: nullable(uuid()),
    message_id: nullable(uuid()),
    settled_at: timestamp(),
  },
  primaryKey: { name: 'settlements_pk', columns: ['organization_id', 'operation_id', 'item'] },
});

/** A row of {@link settlements}. */
export type Settlement = RowOf<typeof settlements>;
