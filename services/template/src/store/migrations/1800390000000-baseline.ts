import { Baseline, createKeys, createRuntimeTables, vacuumInbox } from '@stanza/runtime';
import type { QueryRunner } from 'typeorm';

const kinds = [
  { kind: 'template', table: 'templates' },
  { kind: 'entity', table: 'entities' },
  { kind: 'modal', table: 'modals' },
] as const;

/** The searched text, as in the indexes `templates_search` and `entities_search`. */
export const searchedText = `lower(
  regexp_replace(normalize(name || ' ' || coalesce(description, ''), NFKD), '[\\u0300-\\u036f]', '', 'g')
  collate "und-x-icu"
)`;

/**
 * Row-level security evaluates an operator that may leak a value in an error after the policy only, which keeps trigram
 * operators from their index. The function runs as the owner of the table, who is exempt from the policy, and checks
 * the organization and the reach itself.
 */
const searchOf = (table: 'templates' | 'entities'): string => `
  create function search_${table}(organization uuid, environment text, words text, pattern text)
    returns setof ${table}
    language sql stable security definer set search_path = template, extensions, public, pg_temp as $$
      select *
      from ${table}
      where ${table}.organization_id = $1
        and ${table}.environment = $2
        and (${searchedText} like $4 or ${searchedText} %> $3)
        and (
          coalesce(current_setting('stanza.reach', true), '') in ('', 'all')
          or $1::text = any (string_to_array(current_setting('stanza.reach', true), ','))
        )
    $$;`;

const tables = `
  create table templates (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    name text not null, description text, type text not null, user_name text, icon_emoji text,
    fallback_text text, current_version_id uuid, current_version_number integer,
    last_version_number integer not null, activation_count integer not null default 0,
    created_by text not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    archived_at timestamptz(3), locale text, timezone text, strict boolean not null default false,
    agent_sends boolean not null default false,
    constraint templates_pkey primary key (organization_id, environment, id),
    constraint templates_operation unique (organization_id, environment, operation_id),
    constraint templates_environment check (environment in ('production', 'preview')),
    constraint templates_live_number check ((current_version_id is null) = (current_version_number is null))
  );
  create table versions (
    organization_id uuid not null, environment text not null, id uuid not null, template_id uuid not null,
    operation_id uuid not null, version_number integer not null, blocks json not null, sample_data json,
    request_format json not null, note text, created_by text not null, created_at timestamptz(3) not null,
    first_live_at timestamptz(3), entity_id uuid, authors json, bytes integer,
    constraint versions_pkey primary key (organization_id, environment, id),
    constraint versions_number unique (organization_id, environment, template_id, version_number),
    constraint versions_operation unique (organization_id, environment, operation_id),
    constraint versions_counted check (version_number > 0)
  );
  create table activations (
    organization_id uuid not null, environment text not null, id uuid not null, template_id uuid not null,
    operation_id uuid not null, activation_number integer not null, version_id uuid not null,
    version_number integer not null, previous_version_id uuid, activated_by text not null,
    source text not null, note text, created_at timestamptz(3) not null,
    constraint activations_pkey primary key (organization_id, environment, id),
    constraint activations_number unique (organization_id, environment, template_id, activation_number),
    constraint activations_operation unique (organization_id, environment, operation_id),
    constraint activations_counted check (activation_number > 0),
    constraint activations_source check (source in ('web', 'api', 'migration'))
  );
  create table entities (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    name text not null, description text, created_by text not null, created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint entities_pkey primary key (organization_id, environment, id),
    constraint entities_operation unique (organization_id, environment, operation_id),
    constraint entities_environment check (environment in ('production', 'preview'))
  );
  create table entity_fields (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    entity_id uuid not null, parent_field_id uuid, name text not null, label text, type text not null,
    description text, required boolean not null, created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint entity_fields_pkey primary key (organization_id, environment, id),
    constraint entity_fields_operation unique (organization_id, environment, operation_id),
    constraint entity_fields_name unique nulls not distinct (organization_id, environment, entity_id, parent_field_id, name),
    constraint entity_fields_type check (type in ('string', 'number', 'boolean', 'date', 'array', 'object'))
  );
  create table sample_data (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    name text not null, description text, data json not null, template_id uuid, entity_id uuid,
    created_by text not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    bytes integer,
    constraint sample_data_pkey primary key (organization_id, environment, id),
    constraint sample_data_operation unique (organization_id, environment, operation_id),
    constraint sample_data_environment check (environment in ('production', 'preview'))
  );
  create table modals (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    name text not null, description text, title text not null, submit_label text, close_label text,
    steps json, current_version_id uuid, last_version_number integer not null, created_by text not null,
    created_at timestamptz(3) not null, updated_at timestamptz(3) not null, steps_authors json, bytes integer,
    constraint modals_pkey primary key (organization_id, environment, id),
    constraint modals_operation unique (organization_id, environment, operation_id),
    constraint modals_environment check (environment in ('production', 'preview'))
  );
  create table modal_versions (
    organization_id uuid not null, environment text not null, id uuid not null, modal_id uuid not null,
    operation_id uuid not null, version_number integer not null, blocks json not null,
    placeholder_mapping json, sample_data json, status text not null, activation_operation_id uuid,
    created_by text not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    bytes integer,
    constraint modal_versions_pkey primary key (organization_id, environment, id),
    constraint modal_versions_number unique (organization_id, environment, modal_id, version_number),
    constraint modal_versions_operation unique (organization_id, environment, operation_id),
    constraint modal_versions_counted check (version_number > 0),
    constraint modal_versions_status check (status in ('draft', 'active', 'inactive'))
  );
  create table modal_references (
    organization_id uuid not null, environment text not null, version_id uuid not null,
    modal_id uuid not null, template_id uuid not null,
    constraint modal_references_pkey primary key (organization_id, environment, version_id, modal_id)
  );
  create table template_archivals (
    organization_id uuid not null, environment text not null, template_id uuid not null,
    last_archived_at timestamptz(3) not null,
    constraint template_archivals_pk primary key (organization_id, environment, template_id)
  );
  create table template_drafts (
    organization_id uuid not null, environment text not null, template_id uuid not null,
    revision integer not null, content json, base_version_id uuid, saved_version_id uuid,
    updated_by text not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    authors json, bytes integer,
    constraint template_drafts_pk primary key (organization_id, environment, template_id),
    constraint template_drafts_counted check (revision > 0),
    constraint template_drafts_saved check ((content is null) or (saved_version_id is null))
  );
  create table template_proposals (
    organization_id uuid not null, environment text not null, id uuid not null, template_id uuid not null,
    operation_id uuid not null, version_id uuid not null, version_number integer not null,
    live_version_id uuid, live_version_number integer, status text not null, note text,
    proposed_by text not null, key_id uuid, source text not null, agent text,
    created_at timestamptz(3) not null, decided_by text, decided_at timestamptz(3), reason text,
    constraint template_proposals_pk primary key (organization_id, environment, id),
    constraint template_proposals_operation unique (organization_id, environment, operation_id),
    constraint template_proposals_status check (status in ('open', 'accepted', 'declined', 'withdrawn', 'superseded')),
    constraint template_proposals_source check (source in ('web', 'api', 'mcp')),
    constraint template_proposals_decided check ((status = 'open') = (decided_at is null))
  );

  create index templates_created_at on templates (organization_id, environment, created_at, id);
  create index templates_updated_at on templates (organization_id, environment, updated_at, id);
  create index templates_name on templates (organization_id, environment, lower((name collate "und-x-icu")), id);
  create index templates_search on templates using gin
    (organization_id, environment, ${searchedText} gin_trgm_ops);
  create index versions_entity on versions (organization_id, environment, entity_id) where entity_id is not null;
  create index versions_bytes on versions (organization_id, bytes);
  create index entities_created_at on entities (organization_id, environment, created_at, id);
  create index entities_updated_at on entities (organization_id, environment, updated_at, id);
  create unique index entities_name on entities (organization_id, environment, lower((name collate "und-x-icu")));
  create index entities_search on entities using gin
    (organization_id, environment, ${searchedText} gin_trgm_ops);
  create index entity_fields_parent on entity_fields (organization_id, environment, parent_field_id);
  create index sample_data_created_at on sample_data (organization_id, environment, created_at, id);
  create index sample_data_updated_at on sample_data (organization_id, environment, updated_at, id);
  create index sample_data_template on sample_data (organization_id, environment, template_id, created_at, id);
  create index sample_data_entity on sample_data (organization_id, environment, entity_id, created_at, id);
  create index sample_data_name on sample_data
    (organization_id, environment, lower((name collate "und-x-icu")), id);
  create index sample_data_bytes on sample_data (organization_id, bytes);
  create index modals_created_at on modals (organization_id, environment, created_at, id);
  create index modals_updated_at on modals (organization_id, environment, updated_at, id);
  create index modals_name on modals (organization_id, environment, lower((name collate "und-x-icu")), id);
  create unique index modal_versions_active on modal_versions (organization_id, environment, modal_id)
    where status = 'active';
  create index modal_versions_bytes on modal_versions (organization_id, bytes);
  create index modal_references_modal on modal_references (organization_id, environment, modal_id);
  create unique index template_proposals_open on template_proposals (organization_id, environment, version_id)
    where status = 'open';
  create index template_proposals_of_template on template_proposals
    (organization_id, environment, template_id, created_at, id);
  create index template_proposals_created_at on template_proposals (organization_id, environment, created_at, id);

  alter table templates add constraint templates_current_version foreign key (organization_id, environment, current_version_id)
    references versions (organization_id, environment, id);
  alter table versions add constraint versions_template foreign key (organization_id, environment, template_id)
    references templates (organization_id, environment, id) on delete cascade;
  alter table versions add constraint versions_entity_fkey foreign key (organization_id, environment, entity_id)
    references entities (organization_id, environment, id);
  alter table activations add constraint activations_template foreign key (organization_id, environment, template_id)
    references templates (organization_id, environment, id) on delete cascade;
  alter table entity_fields add constraint entity_fields_entity foreign key (organization_id, environment, entity_id)
    references entities (organization_id, environment, id) on delete cascade;
  alter table entity_fields add constraint entity_fields_parent_field foreign key (organization_id, environment, parent_field_id)
    references entity_fields (organization_id, environment, id) on delete cascade;
  alter table sample_data add constraint sample_data_template_fkey foreign key (organization_id, environment, template_id)
    references templates (organization_id, environment, id) on delete set null (template_id);
  alter table sample_data add constraint sample_data_entity_fkey foreign key (organization_id, environment, entity_id)
    references entities (organization_id, environment, id);
  alter table modals add constraint modals_current_version foreign key (organization_id, environment, current_version_id)
    references modal_versions (organization_id, environment, id);
  alter table modal_versions add constraint modal_versions_modal foreign key (organization_id, environment, modal_id)
    references modals (organization_id, environment, id) on delete cascade;
  alter table modal_references add constraint modal_references_version foreign key (organization_id, environment, version_id)
    references versions (organization_id, environment, id) on delete cascade;
  alter table template_archivals add constraint template_archivals_template foreign key (organization_id, environment, template_id)
    references templates (organization_id, environment, id) on delete cascade;
  alter table template_drafts add constraint template_drafts_template foreign key (organization_id, environment, template_id)
    references templates (organization_id, environment, id) on delete cascade;
  alter table template_proposals add constraint template_proposals_template foreign key (organization_id, environment, template_id)
    references templates (organization_id, environment, id) on delete cascade;

  create function modal_versions_bytes() returns trigger
    language plpgsql as $$
      begin
        new.bytes := coalesce(octet_length(new.blocks::text), 0) + coalesce(octet_length(new.placeholder_mapping::text), 0) + coalesce(octet_length(new.sample_data::text), 0);
        return new;
      end
    $$;

  create function modals_bytes() returns trigger
    language plpgsql as $$
      begin
        new.bytes := coalesce(octet_length(new.steps::text), 0);
        return new;
      end
    $$;

  create function sample_data_bytes() returns trigger
    language plpgsql as $$
      begin
        new.bytes := coalesce(octet_length(new.data::text), 0);
        return new;
      end
    $$;

${searchOf('templates')}

${searchOf('entities')}

  create function template_drafts_bytes() returns trigger
    language plpgsql as $$
      begin
        new.bytes := coalesce(octet_length(new.content::text), 0);
        return new;
      end
    $$;

  create function versions_bytes() returns trigger
    language plpgsql as $$
      begin
        new.bytes := coalesce(octet_length(new.blocks::text), 0) + coalesce(octet_length(new.sample_data::text), 0);
        return new;
      end
    $$;

  create trigger versions_bytes before insert or update of blocks, sample_data on versions
    for each row execute function versions_bytes();
  create trigger sample_data_bytes before insert or update of data on sample_data
    for each row execute function sample_data_bytes();
  create trigger modals_bytes before insert or update of steps on modals
    for each row execute function modals_bytes();
  create trigger modal_versions_bytes before insert or update of blocks, placeholder_mapping, sample_data on modal_versions
    for each row execute function modal_versions_bytes();
  create trigger template_drafts_bytes before insert or update of content on template_drafts
    for each row execute function template_drafts_bytes();
`;

/** The schema of release 0.1.0: templates, entities, modals, drafts and proposals. */
export class Baseline1800390000000 extends Baseline {
  readonly name = 'Baseline1800390000000';

  readonly fingerprint = 'd41f098e061837e937b239115d5c4791';

  readonly replaces = `
    Templates1795219200000 TemplateDefaults1795300000050 Entities1795300000051 Search1795300000052
    Modals1795300000060 SearchBehindTheWall1800000700001 LastArchived1800060000001 Keys1800080000001
    Drafts1800090100001 Proposals1800190000002 Authors1800200000001 AgentSends1800310000019
    ContentBytes1800330000020 VersionBytes1800330000021 SampleDataBytes1800330000022
    ModalVersionBytes1800330000023 InboxVacuum1800360000004`;

  async make(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
    await vacuumInbox(queryRunner);
    await queryRunner.query(tables);
    await createKeys(queryRunner, kinds);
  }
}
