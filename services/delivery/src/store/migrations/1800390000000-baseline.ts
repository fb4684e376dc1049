import { Baseline, createKeys, createRuntimeTables, vacuumInbox } from '@stanza/runtime';
import type { QueryRunner } from 'typeorm';

const kinds = [{ kind: 'destination', table: 'destinations' }] as const;

/** SQL: writes the states of messages that were added or changed. */
export const addStates = `insert into message_states (organization_id, environment, message_id, changed_at, status, due_at)
        select organization_id, environment, id, updated_at, status,
          case when status in ('accepted', 'posting') then deadline_at else lookup_due_at end
        from added
        on conflict on constraint message_states_pk do update
        set status = excluded.status, due_at = excluded.due_at;`;

/** SQL: takes the states of messages away that were deleted, or as they were before a change. */
export const removeStates = `delete from message_states as state
        using removed as message
        where state.organization_id = message.organization_id
          and state.environment = message.environment
          and state.changed_at = message.updated_at
          and state.message_id = message.id;`;

/**
 * What follows a write of messages. It has the rights of its owner, since other roles write no states, and names its search
 * path, since a session may have another. Other ways to a row than its key are off, which Postgres without statistics
 * might take.
 */
export const statesFunction = (event: string, steps: readonly string[], verb = 'create'): string => `
  ${verb} function message_states_${event}() returns trigger
    language plpgsql security definer set search_path = delivery, extensions, public, pg_temp
    set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
      begin
        ${steps.join('\n        ')}
        return null;
      end
    $$;`;

const tables = `
  create table chat_connections (
    organization_id uuid not null, environment text not null, id uuid not null, workspace_id text not null,
    workspace_name text not null, bot_user_id text not null, token_ciphertext bytea not null,
    token_key_id text not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    source text not null default 'token', scopes json, last_checked_at timestamptz(3) not null default now(),
    revoked_at timestamptz(3), refusal text,
    constraint chat_connections_pk primary key (organization_id, environment),
    constraint chat_connections_environment check (environment in ('production', 'preview')),
    constraint chat_connections_source check (source in ('token', 'install')),
    constraint chat_connections_revoked check ((revoked_at is null) = (refusal is null))
  );
  create table messages (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    item integer not null, template_id uuid not null, version_id uuid not null,
    version_number integer not null, channel_id text, recipient_email text, recipient_chat_id text,
    thread_ts text, workspace_id text not null, status text not null, channel text, message_ts text,
    error text, error_facts json, credit_log_id uuid not null, charged boolean,
    remaining_credits bigint not null, warnings json not null, fields_truncated integer not null,
    attempts json not null, request_id text not null, actor_id text not null,
    deadline_at timestamptz(3) not null, posting_at timestamptz(3), lookups integer not null default 0,
    lookup_due_at timestamptz(3), created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    key_digest text, origin text not null default 'send', origin_id uuid, fence integer not null default 0,
    posting_fence integer, test boolean not null default false,
    constraint messages_pk primary key (organization_id, environment, id),
    constraint messages_once unique (organization_id, environment, operation_id, item),
    constraint messages_environment check (environment in ('production', 'preview')),
    constraint messages_item check (item >= 0),
    constraint messages_status check (status in ('accepted', 'posting', 'sent', 'failed', 'unknown')),
    constraint messages_recipient check (num_nonnulls(channel_id, recipient_email, recipient_chat_id) = 1),
    constraint messages_settled check ((charged is null) = (status in ('accepted', 'posting'))),
    constraint messages_charged check ((status = 'sent') or (charged is not true)),
    constraint messages_origin check (origin in ('send', 'bulk', 'batch', 'schedule'))
  ) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02, fillfactor=50);
  create table channel_slots (
    workspace_id text not null, channel text not null, next_free_at timestamptz not null,
    constraint channel_slots_pk primary key (workspace_id, channel)
  ) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
  create table withdrawn_operations (
    organization_id uuid not null, environment text not null, operation_id uuid not null,
    withdrawn_at timestamptz(3) not null,
    constraint withdrawn_operations_pk primary key (organization_id, environment, operation_id)
  ) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
  create table deferred_sends (
    organization_id uuid not null, environment text not null, operation_id uuid not null,
    origin text not null, origin_id uuid not null, status text not null, due_at timestamptz(3) not null,
    give_up_at timestamptz(3) not null, tries integer not null default 0, error text,
    created_at timestamptz(3) not null, ended_at timestamptz(3), traceparent text,
    constraint deferred_sends_pk primary key (organization_id, environment, operation_id),
    constraint deferred_sends_environment check (environment in ('production', 'preview')),
    constraint deferred_sends_origin check (origin in ('batch', 'schedule')),
    constraint deferred_sends_status check (status in ('waiting', 'ended')),
    constraint deferred_sends_ended check ((ended_at is null) = (status = 'waiting'))
  ) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
  create table destinations (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    name text not null, description text, url text not null, method text not null, header_names json not null,
    headers_ciphertext bytea not null, headers_key_id text not null, auth_type text not null,
    is_active boolean not null, retry_enabled boolean not null, max_retries integer not null,
    retry_strategy text not null, retry_initial_delay_ms integer not null,
    retry_max_delay_ms integer not null, timeout_ms integer not null,
    consecutive_failures integer not null default 0, disabled_at timestamptz(3),
    secret_ciphertext bytea not null, secret_key_id text not null, previous_secret_ciphertext bytea,
    previous_secret_key_id text, previous_secret_until timestamptz(3), created_by text not null,
    created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    constraint destinations_pk primary key (organization_id, environment, id),
    constraint destinations_operation unique (organization_id, environment, operation_id),
    constraint destinations_environment check (environment in ('production', 'preview')),
    constraint destinations_method check (method in ('POST', 'PUT', 'PATCH')),
    constraint destinations_auth_type check (auth_type in ('none', 'bearer', 'basic', 'custom')),
    constraint destinations_retry_strategy check (retry_strategy in ('fixed', 'linear', 'exponential')),
    constraint destinations_previous_secret check (num_nulls(previous_secret_ciphertext, previous_secret_key_id, previous_secret_until) in (0, 3))
  );
  create table deliveries (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    destination_id uuid not null, origin text not null, origin_id uuid not null, payload text not null,
    status text not null, due_at timestamptz(3) not null, give_up_at timestamptz(3) not null,
    attempts integer not null default 0, retries integer not null default 0, error text,
    created_at timestamptz(3) not null, updated_at timestamptz(3) not null, traceparent text, subject uuid,
    constraint deliveries_pk primary key (organization_id, environment, id),
    constraint deliveries_operation unique (organization_id, environment, operation_id),
    constraint deliveries_environment check (environment in ('production', 'preview')),
    constraint deliveries_status check (status in ('waiting', 'delivered', 'failed', 'unknown')),
    constraint deliveries_origin check (origin in ('batch', 'interaction', 'schedule', 'event', 'test'))
  ) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
  create table delivery_attempts (
    organization_id uuid not null, environment text not null, delivery_id uuid not null,
    number integer not null, outcome text not null, http_status integer, error text, response text,
    latency_ms integer, started_at timestamptz(3) not null,
    constraint delivery_attempts_pk primary key (organization_id, environment, delivery_id, number),
    constraint delivery_attempts_environment check (environment in ('production', 'preview')),
    constraint delivery_attempts_outcome check (outcome in ('begun', 'delivered', 'refused', 'not_sent', 'lost'))
  );
  create table chat_installs (
    organization_id uuid not null, environment text not null, id uuid not null, actor json not null,
    state_hash bytea not null, status text not null default 'begun', confirm_hash bytea, workspace_id text,
    workspace_name text, bot_user_id text, scopes json, token_ciphertext bytea, token_key_id text,
    created_at timestamptz(3) not null, expires_at timestamptz(3) not null,
    constraint chat_installs_pk primary key (organization_id, environment, id),
    constraint chat_installs_state unique (state_hash),
    constraint chat_installs_confirm unique (confirm_hash),
    constraint chat_installs_environment check (environment in ('production', 'preview')),
    constraint chat_installs_status check (status in ('begun', 'spent', 'waiting', 'connected')),
    constraint chat_installs_page check ((confirm_hash is null) = (status in ('begun', 'spent'))),
    constraint chat_installs_token check ((token_ciphertext is null) = (status <> 'waiting'))
  );
  create table method_slots (
    workspace_id text not null, method text not null, next_free_at timestamptz not null,
    constraint method_slots_pk primary key (workspace_id, method)
  ) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
  create table interactions (
    organization_id uuid not null, environment text not null, id uuid not null, dedupe_key text not null,
    kind text not null, workspace_id text not null, user_id text not null, user_name text,
    message_id uuid not null, template_id uuid not null, channel text not null, message_ts text not null,
    block_id text, action_id text, action_type text, value json, opened_by uuid, form json not null,
    kept json not null, opening json, rest json not null, response json, request_id text not null,
    created_at timestamptz(3) not null,
    constraint interactions_pk primary key (organization_id, environment, id),
    constraint interactions_once unique (organization_id, environment, dedupe_key),
    constraint interactions_environment check (environment in ('production', 'preview')),
    constraint interactions_kind check (kind in ('block_actions', 'view_submission'))
  );
  create table interaction_actions (
    organization_id uuid not null, environment text not null, interaction_id uuid not null,
    position integer not null, type text not null, action json not null, message_id uuid not null,
    status text not null, applied boolean not null default false, due_at timestamptz(3) not null,
    tries integer not null default 0, delivery_id uuid, error text, error_details text,
    created_at timestamptz(3) not null, ended_at timestamptz(3), traceparent text,
    constraint interaction_actions_pk primary key (organization_id, environment, interaction_id, "position"),
    constraint interaction_actions_environment check (environment in ('production', 'preview')),
    constraint interaction_actions_type check (type in ('open_modal', 'call_destination', 'update_message')),
    constraint interaction_actions_status check (status in ('waiting', 'done', 'failed', 'unknown')),
    constraint interaction_actions_ended check ((ended_at is null) = (status = 'waiting'))
  );
  create table message_contents (
    organization_id uuid not null, environment text not null, message_id uuid not null, blocks json not null,
    text text not null, actions json not null, context json not null, updated_at timestamptz(3) not null,
    constraint message_contents_pk primary key (organization_id, environment, message_id),
    constraint message_contents_environment check (environment in ('production', 'preview'))
  );
  create table scheduled_messages (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    status text not null, template_id uuid not null, data json not null, strict boolean, locale text,
    timezone text, channel_id text, recipient_email text, recipient_chat_id text, thread_ts text,
    send_at timestamptz(3), cron text, catch_up boolean not null, next_run_at timestamptz(3),
    created_by text not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    ended_at timestamptz(3), on_unknown text not null default 'hold', data_bytes integer,
    constraint scheduled_messages_pk primary key (organization_id, environment, id),
    constraint scheduled_messages_once unique (organization_id, environment, operation_id),
    constraint scheduled_messages_environment check (environment in ('production', 'preview')),
    constraint scheduled_messages_status check (status in ('active', 'completed', 'cancelled')),
    constraint scheduled_messages_recipient check (num_nonnulls(channel_id, recipient_email, recipient_chat_id) = 1),
    constraint scheduled_messages_timing check (num_nonnulls(send_at, cron) = 1),
    constraint scheduled_messages_next check ((next_run_at is not null) = (status = 'active')),
    constraint scheduled_messages_ended check ((ended_at is null) = (status = 'active'))
  );
  create table scheduled_runs (
    organization_id uuid not null, environment text not null, scheduled_message_id uuid not null,
    due_at timestamptz(3) not null, operation_id uuid not null, status text not null, message_id uuid,
    error text, error_details text, started_at timestamptz(3) not null, ended_at timestamptz(3),
    reposts integer not null default 0,
    constraint scheduled_runs_pk primary key (organization_id, environment, scheduled_message_id, due_at),
    constraint scheduled_runs_once unique (organization_id, environment, operation_id),
    constraint scheduled_runs_environment check (environment in ('production', 'preview')),
    constraint scheduled_runs_status check (status in ('pending', 'sent', 'failed', 'unknown', 'skipped')),
    constraint scheduled_runs_ended check ((ended_at is null) = (status = 'pending'))
  );
  create table event_subscriptions (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    destination_id uuid not null, types text[] not null, description text, is_active boolean not null,
    created_by text not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    constraint event_subscriptions_pk primary key (organization_id, environment, id),
    constraint event_subscriptions_operation unique (organization_id, environment, operation_id),
    constraint event_subscriptions_environment check (environment in ('production', 'preview'))
  );
  create table events (
    organization_id uuid not null, environment text not null, id uuid not null, type text not null,
    subject uuid not null, data json not null, created_at timestamptz(3) not null,
    constraint events_pk primary key (organization_id, environment, id),
    constraint events_environment check (environment in ('production', 'preview'))
  );
  create table test_targets (
    organization_id uuid not null, environment text not null, targets json not null, updated_by text not null,
    updated_at timestamptz(3) not null,
    constraint test_targets_pk primary key (organization_id, environment),
    constraint test_targets_environment check (environment in ('production', 'preview'))
  );
  create table message_states (
    organization_id uuid not null, environment text not null, message_id uuid not null,
    changed_at timestamptz(3) not null, status text not null, due_at timestamptz(3),
    constraint message_states_pk primary key (organization_id, environment, changed_at, message_id)
  ) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

  create index chat_connections_workspace on chat_connections (workspace_id);
  create index chat_connections_key on chat_connections (token_key_id);
  create index messages_template on messages (organization_id, environment, template_id, id);
  create index messages_id on messages (id);
  create index messages_keyed on messages (organization_id, environment, key_digest)
    where (key_digest is not null) and (item = 0);
  create index channel_slots_next_free_at on channel_slots (next_free_at);
  create index withdrawn_operations_withdrawn_at on withdrawn_operations (withdrawn_at);
  create index deferred_sends_ended_at on deferred_sends (ended_at) where status = 'ended';
  create index deferred_sends_turns on deferred_sends (organization_id, due_at) where status = 'waiting';
  create index deferred_sends_due_at on deferred_sends (due_at) where status = 'waiting';
  create index deliveries_of_destination on deliveries (organization_id, environment, destination_id, id);
  create index deliveries_due_at on deliveries (due_at) where status = 'waiting';
  create index deliveries_updated_at on deliveries (updated_at) where status <> 'waiting';
  create index deliveries_turns on deliveries (organization_id, destination_id, due_at) where status = 'waiting';
  create index deliveries_subject on deliveries (organization_id, environment, destination_id, subject, id)
    where (status = 'waiting') and (subject is not null);
  create index deliveries_due_by_organization on deliveries (organization_id, due_at) where status = 'waiting';
  create index chat_installs_expires_at on chat_installs (expires_at);
  create index method_slots_next_free_at on method_slots (next_free_at);
  create index interactions_message on interactions (organization_id, environment, message_id, id);
  create index interactions_created_at on interactions (created_at);
  create index interaction_actions_due_at on interaction_actions (due_at) where status = 'waiting';
  create index interaction_actions_message on interaction_actions (organization_id, environment, message_id, interaction_id, "position")
    where status = 'waiting';
  create index interaction_actions_created_at on interaction_actions (created_at);
  create index interaction_actions_turns on interaction_actions (organization_id, due_at)
    where status = 'waiting';
  create index message_contents_updated_at on message_contents (updated_at);
  create index scheduled_messages_template on scheduled_messages (organization_id, environment, template_id, id);
  create index scheduled_messages_by_status on scheduled_messages (organization_id, environment, status, id);
  create index scheduled_messages_due on scheduled_messages (next_run_at) where status = 'active';
  create index scheduled_messages_ended_at on scheduled_messages (ended_at) where ended_at is not null;
  create index scheduled_messages_turns on scheduled_messages (organization_id, next_run_at)
    where status = 'active';
  create index scheduled_messages_data_bytes on scheduled_messages (organization_id, data_bytes)
    where status = 'active';
  create index scheduled_runs_ended_at on scheduled_runs (ended_at) where ended_at is not null;
  create index event_subscriptions_of_destination on event_subscriptions
    (organization_id, environment, destination_id);
  create index events_newest on events (organization_id, environment, created_at, id);
  create index events_of_type on events (organization_id, environment, type, created_at, id);
  create index events_created_at on events (created_at);
  create index message_states_unsent on message_states (organization_id, environment, status, message_id)
    where status <> 'sent';
  create index message_states_open on message_states (due_at) where status in ('accepted', 'posting');
  create index message_states_lookup_due on message_states (due_at)
    where (status = 'unknown') and (due_at is not null);
  create index message_states_lookup_turns on message_states (organization_id, due_at)
    where (status = 'unknown') and (due_at is not null);

  alter table deliveries add constraint deliveries_destination foreign key (organization_id, environment, destination_id)
    references destinations (organization_id, environment, id) on delete cascade;
  alter table delivery_attempts add constraint delivery_attempts_delivery foreign key (organization_id, environment, delivery_id)
    references deliveries (organization_id, environment, id) on delete cascade;
  alter table event_subscriptions add constraint event_subscriptions_destination foreign key (organization_id, environment, destination_id)
    references destinations (organization_id, environment, id);

${statesFunction('insert', [addStates])}

${statesFunction('update', [removeStates, addStates])}

${statesFunction('delete', [removeStates])}

  create function scheduled_messages_data_bytes() returns trigger
    language plpgsql as $$
      begin
        -- The bytes of json are those of the text that was written.
        new.data_bytes := octet_length(new.data::text);
        return new;
      end
    $$;

  create trigger messages_state_insert after insert on messages referencing new table as added
    for each statement execute function message_states_insert();
  create trigger messages_state_update after update on messages referencing old table as removed new table as added
    for each statement execute function message_states_update();
  create trigger messages_state_delete after delete on messages referencing old table as removed
    for each statement execute function message_states_delete();
  create trigger scheduled_messages_data_bytes before insert or update of data on scheduled_messages
    for each row execute function scheduled_messages_data_bytes();
`;

/** The schema of release 0.1.0: messages, destinations, interactions, schedules and connections. */
export class Baseline1800390000000 extends Baseline {
  readonly name = 'Baseline1800390000000';

  readonly fingerprint = '813f5db2fdbccb1cccedaff1f2a5906f';

  readonly replaces = `
    Messages1764100000000 KeyDigests1764200000011 DeferredSends1764300040000 Destinations1764300100001
    ConnectionState1764300200001 ChatInstalls1764300200002 Turns1764300300001 Interactions1764300400001
    ScheduledMessages1764300500001 Traces1764300600001 InteractionTraces1764300600002 Fences1800040000001
    Keys1800080000002 DeliveryTurns1800110000001 Autovacuum1800140000001 EventDeliveries1800150000001
    EventOrder1800150000002 Events1800150000003 EventOrigin1800150000004 TestMessages1800150000010
    TestTargets1800150000011 OnUnknown1800150000021 MessageChanges1800180000001 DueSends1800220000001
    ActionTurns1800220000002 LookupTurns1800230000001 MessageStates1800340000001
    OlderMessageStates1800340000002 MessagesInPlace1800340000003 KeyedOperations1800350000001
    FewerMessageIndexes1800350000002 InboxVacuum1800360000002 RunTurns1800360000102
    DeliveryOrganizations1800360000103 ScheduledDataBytes1800370000001 ScheduledDataBytesIndex1800370000002`;

  async make(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
    await vacuumInbox(queryRunner);
    await queryRunner.query(tables);
    await createKeys(queryRunner, kinds);
  }
}
