import { Baseline, createRuntimeTables, vacuumInbox } from '@stanza/runtime';
import type { QueryRunner } from 'typeorm';

const tables = `
  create table organizations (
    id uuid not null, name text not null, tier text not null, status text not null default 'active',
    founding_name text not null, founding_email text not null,
    created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
    deleted_at timestamptz(3), erased_at timestamptz(3), guard_activation boolean not null default false,
    activation text not null default 'anyone',
    constraint organizations_pk primary key (id),
    constraint organizations_status check (status in ('active', 'suspended', 'deleted'))
  );
  create table users (
    id uuid not null, email text not null, first_name text not null default '',
    last_name text not null default '', created_at timestamptz(3) not null default now(),
    last_active_at timestamptz(3),
    constraint users_pk primary key (id),
    constraint users_email unique (email)
  ) with (fillfactor=90);
  create table memberships (
    organization_id uuid not null, user_id uuid not null, role text not null,
    created_at timestamptz(3) not null default now(),
    constraint memberships_pk primary key (organization_id, user_id),
    constraint memberships_role check (role in ('viewer', 'member', 'admin', 'owner'))
  );
  create table api_keys (
    id uuid not null, organization_id uuid not null, environment text not null, user_id uuid not null,
    name text not null, description text, prefix text not null, hash bytea not null,
    hash_key_id text not null, scopes text[] not null, created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3), revoked_at timestamptz(3), last_used_at timestamptz(3), parent_id uuid,
    allowed_addresses text[] not null default '{}'::text[],
    constraint api_keys_pk primary key (id),
    constraint api_keys_hash unique (hash),
    constraint api_keys_environment check (environment in ('production', 'preview'))
  ) with (fillfactor=90);
  create table credit_accounts (
    organization_id uuid not null, balance bigint not null default 0, reserved bigint not null default 0,
    overage bigint not null, updated_at timestamptz(3) not null default now(),
    next_grant_at timestamptz(3) not null default (date_trunc('month', now(), 'UTC') + '1 mon'::interval),
    low_since timestamptz(3),
    constraint credit_accounts_pk primary key (organization_id),
    constraint credit_accounts_reserved check (reserved >= 0),
    constraint credit_accounts_overage check (overage >= 0)
  ) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
  create table credit_log (
    id uuid not null, organization_id uuid not null, kind text not null, amount bigint not null,
    operation_id uuid not null, item integer not null default 0, environment text, template_id uuid,
    message_id uuid, actor_id text, reason text, created_at timestamptz(3) not null default now(),
    attempt integer not null default 0, operation text,
    constraint credit_log_pk primary key (id),
    constraint credit_log_once unique (organization_id, operation_id, item, kind, attempt),
    constraint credit_log_kind check (kind in ('grant', 'charge', 'reversal', 'adjustment')),
    constraint credit_log_environment check (environment in ('production', 'preview')),
    constraint credit_log_operation check (operation in ('compile', 'send', 'send-bulk', 'batch', 'schedule'))
  );
  create table provisional_charges (
    operation_id uuid not null, organization_id uuid not null, charged_at timestamptz(3) not null,
    constraint provisional_charges_pk primary key (operation_id)
  ) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
  create table reservations (
    id uuid not null, organization_id uuid not null, environment text not null, operation_id uuid not null,
    template_id uuid not null, actor_id text not null, amount integer not null, open_items integer not null,
    remaining_credits bigint not null, created_at timestamptz(3) not null,
    report_due_at timestamptz(3) not null, closed_at timestamptz(3), operation text not null default 'send',
    constraint reservations_pk primary key (id),
    constraint reservations_once unique (organization_id, operation_id),
    constraint reservations_environment check (environment in ('production', 'preview')),
    constraint reservations_amount check (amount > 0),
    constraint reservations_open_items check ((open_items >= 0) and (open_items <= amount)),
    constraint reservations_operation check (operation in ('send', 'send-bulk', 'batch', 'schedule'))
  ) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
  create table settlements (
    organization_id uuid not null, operation_id uuid not null, item integer not null,
    charged boolean not null, credit_log_id uuid, message_id uuid, settled_at timestamptz(3) not null,
    constraint settlements_pk primary key (organization_id, operation_id, item)
  ) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
  create table audit_log (
    id uuid not null, organization_id uuid not null, environment text, actor_type text not null,
    actor_id text not null, actor_user_id uuid, action text not null, subject_kind text not null,
    subject_id text not null, changes jsonb not null, request_id text not null, at timestamptz(3) not null,
    client_address text, user_agent text, recorded_at timestamptz(3) not null default now(),
    constraint audit_log_pk primary key (id),
    constraint audit_log_environment check (environment in ('production', 'preview'))
  );
  create table invitations (
    id uuid not null, organization_id uuid not null, email text not null, role text not null,
    status text not null default 'pending', message text, token_hash bytea not null, invited_by uuid,
    accepted_by uuid, created_at timestamptz(3) not null, expires_at timestamptz(3) not null,
    accepted_at timestamptz(3), revoked_at timestamptz(3),
    constraint invitations_pk primary key (id),
    constraint invitations_token_hash unique (token_hash),
    constraint invitations_role check (role in ('viewer', 'member', 'admin')),
    constraint invitations_status check (status in ('pending', 'accepted', 'revoked', 'expired'))
  );
  create table erasures (
    organization_id uuid not null, service text not null, requested_at timestamptz(3) not null,
    erased_at timestamptz(3), erased_rows bigint,
    constraint erasures_pk primary key (organization_id, service)
  );
  create table user_identities (
    issuer text not null, subject text not null, user_id uuid not null,
    created_at timestamptz(3) not null default now(),
    constraint user_identities_pk primary key (issuer, subject)
  );
  create table audit_streams (
    name text not null, recorded_at timestamptz(3) not null, line_id uuid not null,
    leased_until timestamptz(3),
    constraint audit_streams_pk primary key (name)
  );
  create table deactivated_members (
    organization_id uuid not null, user_id uuid not null, role text not null,
    joined_at timestamptz(3) not null, deactivated_at timestamptz(3) not null,
    constraint deactivated_members_pk primary key (organization_id, user_id),
    constraint deactivated_members_role check (role in ('viewer', 'member', 'admin'))
  );

  create unique index organizations_founding on organizations (founding_name, founding_email)
    where status <> 'deleted';
  create index organizations_created_at on organizations (created_at, id);
  create index organizations_unerased on organizations (deleted_at)
    where (status = 'deleted') and (erased_at is null);
  create unique index memberships_owner on memberships (organization_id) where role = 'owner';
  create index memberships_user_id on memberships (user_id);
  create index api_keys_tenant on api_keys (organization_id, environment, id);
  create index api_keys_of_user on api_keys (organization_id, user_id);
  create index api_keys_children on api_keys (organization_id, parent_id) where parent_id is not null;
  create index credit_accounts_next_grant_at on credit_accounts (next_grant_at);
  create index credit_log_newest on credit_log (organization_id, created_at, id, kind, amount, operation, template_id, actor_id)
    where amount <> 0;
  create index credit_log_preview on credit_log (organization_id, created_at, id, kind, amount, operation, template_id, actor_id)
    where (amount <> 0) and (environment = 'preview');
  create index provisional_charges_charged_at on provisional_charges (charged_at);
  create index reservations_report_due_at on reservations (report_due_at) where closed_at is null;
  create index reservations_report_turns on reservations (organization_id, report_due_at) where closed_at is null;
  create index audit_log_newest on audit_log (organization_id, at, id);
  create index audit_log_subject on audit_log (organization_id, subject_id, at, id);
  create index audit_log_recorded on audit_log (organization_id, recorded_at, id);
  create index audit_log_arrival on audit_log (recorded_at, id);
  create unique index invitations_pending on invitations (organization_id, email) where status = 'pending';
  create index invitations_newest on invitations (organization_id, created_at, id);
  create index user_identities_user_id on user_identities (user_id);
  create index deactivated_members_user_id on deactivated_members (user_id);

  alter table memberships add constraint memberships_organization foreign key (organization_id)
    references organizations (id);
  alter table memberships add constraint memberships_user foreign key (user_id)
    references users (id);
  alter table api_keys add constraint api_keys_organization foreign key (organization_id)
    references organizations (id);
  alter table api_keys add constraint api_keys_user foreign key (user_id)
    references users (id);
  alter table credit_accounts add constraint credit_accounts_organization foreign key (organization_id)
    references organizations (id);
  alter table reservations add constraint reservations_account foreign key (organization_id)
    references credit_accounts (organization_id);
  alter table invitations add constraint invitations_organization foreign key (organization_id)
    references organizations (id);
  alter table invitations add constraint invitations_invited_by foreign key (invited_by)
    references users (id);
  alter table invitations add constraint invitations_accepted_by foreign key (accepted_by)
    references users (id);
  alter table erasures add constraint erasures_organization foreign key (organization_id)
    references organizations (id);
  alter table user_identities add constraint user_identities_user foreign key (user_id)
    references users (id) on delete cascade;
  alter table deactivated_members add constraint deactivated_members_organization foreign key (organization_id)
    references organizations (id);
`;

/** The schema of release 0.1.0: people, keys, credits and the audit log. */
export class Baseline1800390000000 extends Baseline {
  readonly name = 'Baseline1800390000000';

  readonly fingerprint = 'a3fcb5522a147b7bc32b067a3f92862f';

  readonly replaces = `
    AccessAndCredits1764000000000 ChargeAttempts1764200000012 AuditLog1764200000030 Invitations1764200000031
    CreditOperations1764200000040 MonthlyGrants1764200000041 Erasure1764200000042
    UserIdentities1764200000060 KeyParents1800010000001 KeyChildren1800010000002 PreviewLedger1800010000003
    TracesOfPeople1800050000001 AuditLogRecorded1800050000002 AuditStream1800050000003
    AuditLogArrival1800050000004 KeyAddresses1800050000005 DeactivatedMembers1800050000006
    GuardActivation1800090100002 Autovacuum1800140000002 LowCredits1800150000003
    ActivationPolicy1800190000001 SettlementsVacuum1800360000001 ReservationTurns1800360000101`;

  async make(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
    await vacuumInbox(queryRunner);
    await queryRunner.query(tables);
  }
}
