import type { CreditKind, CreditOperation, Environment } from '@stanza/contracts';
import { timestamp } from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';

const environmentCheck = "environment in ('production', 'preview')";

/** The account of an organization: always the sum of its ledger. */
export interface CreditAccount {
  organization_id: string;
  balance: number;
  reserved: number;
  /** How far below zero the balance may go: the tier's, as configured. */
  overage: number;
  /** When the tier's credits of the next month are due. */
  next_grant_at: Date;
  updated_at: Date;
}

/** See {@link CreditAccount}. */
export const creditAccountEntity = new EntitySchema<CreditAccount>({
  name: 'credit_accounts',
  columns: {
    organization_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'credit_accounts_pk' },
    balance: { type: 'bigint', default: 0 },
    reserved: { type: 'bigint', default: 0 },
    overage: { type: 'bigint' },
    next_grant_at: { ...timestamp, default: () => "(date_trunc('month', now(), 'UTC') + '1 mon')" },
    updated_at: { ...timestamp, default: () => 'now()' },
  },
  checks: [
    { name: 'credit_accounts_reserved', expression: 'reserved >= 0' },
    { name: 'credit_accounts_overage', expression: 'overage >= 0' },
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

/** One row of the ledger. */
export interface CreditLogEntry {
  id: string;
  organization_id: string;
  kind: CreditKind;
  /** Negative for what was spent or taken away. */
  amount: number;
  /** The operation that was charged, or the id of the grant. */
  operation_id: string;
  /** Number of the message within the operation. */
  item: number;
  /** From 0; the next one is made when the one before was reversed and its operation is charged again after all. */
  attempt: number;
  /** None for grants: both environments draw on one account. */
  environment: Environment | null;
  /** None for grants, nor for what processes of an older version charge during a rollout. */
  operation: CreditOperation | null;
  template_id: string | null;
  message_id: string | null;
  actor_id: string | null;
  reason: string | null;
  created_at: Date;
}

/** See {@link CreditLogEntry}. */
export const creditLogEntity = new EntitySchema<CreditLogEntry>({
  name: 'credit_log',
  columns: {
    id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'credit_log_pk' },
    organization_id: { type: 'uuid' },
    kind: { type: 'text' },
    amount: { type: 'bigint' },
    operation_id: { type: 'uuid' },
    item: { type: 'integer', default: 0 },
    attempt: { type: 'integer', default: 0 },
    environment: { type: 'text', nullable: true },
    operation: { type: 'text', nullable: true },
    template_id: { type: 'uuid', nullable: true },
    message_id: { type: 'uuid', nullable: true },
    actor_id: { type: 'text', nullable: true },
    reason: { type: 'text', nullable: true },
    created_at: { ...timestamp, default: () => 'now()' },
  },
  checks: [
    { name: 'credit_log_kind', expression: "kind in ('grant', 'charge', 'reversal', 'adjustment')" },
    { name: 'credit_log_environment', expression: environmentCheck },
    {
      name: 'credit_log_operation',
      expression: "operation in ('compile', 'send', 'send-bulk', 'batch', 'schedule')",
    },
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

/** A charge whose answer is not confirmed yet. */
export interface ProvisionalCharge {
  operation_id: string;
  organization_id: string;
  charged_at: Date;
}

/** See {@link ProvisionalCharge}. */
export const provisionalChargeEntity = new EntitySchema<ProvisionalCharge>({
  name: 'provisional_charges',
  columns: {
    operation_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'provisional_charges_pk' },
    organization_id: { type: 'uuid' },
    charged_at: timestamp,
  },
  indices: [{ name: 'provisional_charges_charged_at', columns: ['charged_at'] }],
});

/** Credits held for the messages of an operation. */
export interface Reservation {
  id: string;
  organization_id: string;
  environment: Environment;
  operation_id: string;
  operation: Exclude<CreditOperation, 'compile'>;
  template_id: string;
  actor_id: string;
  /** Messages. */
  amount: number;
  /** Messages without an outcome. */
  open_items: number;
  /** What was answered when it was made. */
  remaining_credits: number;
  created_at: Date;
  /** When delivery is asked about it. */
  report_due_at: Date;
  closed_at: Date | null;
}

/** See {@link Reservation}. */
export const reservationEntity = new EntitySchema<Reservation>({
  name: 'reservations',
  columns: {
    id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'reservations_pk' },
    organization_id: { type: 'uuid' },
    environment: { type: 'text' },
    operation_id: { type: 'uuid' },
    operation: { type: 'text', default: 'send' },
    template_id: { type: 'uuid' },
    actor_id: { type: 'text' },
    amount: { type: 'integer' },
    open_items: { type: 'integer' },
    remaining_credits: { type: 'bigint' },
    created_at: timestamp,
    report_due_at: timestamp,
    closed_at: { ...timestamp, nullable: true },
  },
  checks: [
    { name: 'reservations_environment', expression: environmentCheck },
    {
      name: 'reservations_operation',
      expression: "operation in ('send', 'send-bulk', 'batch', 'schedule')",
    },
    { name: 'reservations_amount', expression: 'amount > 0' },
    { name: 'reservations_open_items', expression: 'open_items between 0 and amount' },
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
  indices: [{ name: 'reservations_report_due_at', columns: ['report_due_at'], where: 'closed_at is null' }],
});

/** The outcome of one message of a reservation. */
export interface Settlement {
  organization_id: string;
  operation_id: string;
  item: number;
  charged: boolean;
  /** The ledger row of a charged one. */
  credit_log_id: string | null;
  message_id: string | null;
  settled_at: Date;
}

const settlementKey = { primary: true, primaryKeyConstraintName: 'settlements_pk' } as const;

/** See {@link Settlement}. */
export const settlementEntity = new EntitySchema<Settlement>({
  name: 'settlements',
  columns: {
    organization_id: { type: 'uuid', ...settlementKey },
    operation_id: { type: 'uuid', ...settlementKey },
    item: { type: 'integer', ...settlementKey },
    charged: { type: 'boolean' },
    credit_log_id: { type: 'uuid', nullable: true },
    message_id: { type: 'uuid', nullable: true },
    settled_at: timestamp,
  },
});

/** Entities of accounts, ledger and reservations. */
export const creditEntities: readonly EntitySchema[] = [
  creditAccountEntity,
  creditLogEntity,
  provisionalChargeEntity,
  reservationEntity,
  settlementEntity,
];
