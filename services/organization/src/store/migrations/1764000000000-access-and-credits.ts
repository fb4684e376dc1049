import { createRuntimeTables, dropRuntimeTables } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const access = [
  `create table organizations (
     id uuid constraint organizations_pk primary key,
     name text not null,
     tier text not null,
     status text not null default 'active'
       constraint organizations_status check (status in ('active', 'suspended', 'deleted')),
     founding_name text not null,
     founding_email text not null,
     created_at timestamptz(3) not null default now(),
     updated_at timestamptz(3) not null default now()
   )`,
  // Creation is unique by the original name and owner; a later rename or transfer does not affect it.
  `create unique index organizations_founding on organizations (founding_name, founding_email)
   where status <> 'deleted'`,
  'create index organizations_created_at on organizations (created_at, id)',
  `create table users (
     id uuid constraint users_pk primary key,
     email text not null constraint users_email unique,
     first_name text not null default '',
     last_name text not null default '',
     created_at timestamptz(3) not null default now(),
     last_active_at timestamptz(3)
   ) with (fillfactor = 90)`,
  `create table memberships (
     organization_id uuid not null constraint memberships_organization references organizations,
     user_id uuid not null constraint memberships_user references users,
     role text not null constraint memberships_role check (role in ('viewer', 'member', 'admin', 'owner')),
     created_at timestamptz(3) not null default now(),
     constraint memberships_pk primary key (organization_id, user_id)
   )`,
  "create unique index memberships_owner on memberships (organization_id) where role = 'owner'",
  'create index memberships_user_id on memberships (user_id)',
  `create table api_keys (
     id uuid constraint api_keys_pk primary key,
     organization_id uuid not null constraint api_keys_organization references organizations,
     environment text not null constraint api_keys_environment check (environment in ('production', 'preview')),
     user_id uuid not null constraint api_keys_user references users,
     name text not null,
     description text,
     prefix text not null,
     hash bytea not null constraint api_keys_hash unique,
     hash_key_id text not null,
     scopes text[] not null,
     created_at timestamptz(3) not null default now(),
     expires_at timestamptz(3),
     revoked_at timestamptz(3),
     last_used_at timestamptz(3)
   ) with (fillfactor = 90)`,
  'create index api_keys_tenant on api_keys (organization_id, environment, id)',
];

const credits = [
  // Changed with every charge: free space on the page keeps its updates off the index (HOT).
  `create table credit_accounts (
     organization_id uuid constraint credit_accounts_pk primary key
       constraint credit_accounts_organization references organizations,
     balance bigint not null default 0,
     reserved bigint not null default 0 constraint credit_accounts_reserved check (reserved >= 0),
     overage bigint not null constraint credit_accounts_overage check (overage >= 0),
     updated_at timestamptz(3) not null default now()
   ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  // No foreign key: every writer locks the account row first, and the check would cost each row a lookup.
  `create table credit_log (
     id uuid constraint credit_log_pk primary key,
     organization_id uuid not null,
     kind text not null
       constraint credit_log_kind check (kind in ('grant', 'charge', 'reversal', 'adjustment')),
     amount bigint not null,
     operation_id uuid not null,
     item integer not null default 0,
     environment text constraint credit_log_environment check (environment in ('production', 'preview')),
     template_id uuid,
     message_id uuid,
     actor_id text,
     reason text,
     created_at timestamptz(3) not null default now(),
     constraint credit_log_once unique (organization_id, operation_id, item, kind)
   )`,
  // Rows live until they are confirmed, mostly milliseconds: vacuum by number instead of by share.
  `create table provisional_charges (
     operation_id uuid constraint provisional_charges_pk primary key,
     organization_id uuid not null,
     charged_at timestamptz(3) not null
   ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  'create index provisional_charges_charged_at on provisional_charges (charged_at)',
  `create table reservations (
     id uuid constraint reservations_pk primary key,
     organization_id uuid not null constraint reservations_account references credit_accounts,
     environment text not null
       constraint reservations_environment check (environment in ('production', 'preview')),
     operation_id uuid not null,
     template_id uuid not null,
     actor_id text not null,
     amount integer not null constraint reservations_amount check (amount > 0),
     open_items integer not null constraint reservations_open_items check (open_items between 0 and amount),
     remaining_credits bigint not null,
     created_at timestamptz(3) not null,
     report_due_at timestamptz(3) not null,
     closed_at timestamptz(3),
     constraint reservations_once unique (organization_id, operation_id)
   )`,
  'create index reservations_report_due_at on reservations (report_due_at) where closed_at is null',
  `create table settlements (
     organization_id uuid not null,
     operation_id uuid not null,
     item integer not null,
     charged boolean not null,
     credit_log_id uuid,
     message_id uuid,
     settled_at timestamptz(3) not null,
     constraint settlements_pk primary key (organization_id, operation_id, item)
   )`,
];

/** Organizations, users, memberships, API keys; accounts, the ledger, reservations. */
export class AccessAndCredits1764000000000 implements MigrationInterface {
  name = 'AccessAndCredits1764000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
    for (const step of [...access, ...credits]) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'drop table settlements, reservations, provisional_charges, credit_log, credit_accounts',
    );
    await queryRunner.query('drop table api_keys, memberships, users, organizations');
    await dropRuntimeTables(queryRunner);
  }
}
