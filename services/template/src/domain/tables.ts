import type { Block } from '@stanza/contracts';
import type { Keyed } from '@stanza/runtime';
import {
  boolean,
  check,
  integer,
  json,
  nullable,
  ofTenant,
  partOf,
  type RowOf,
  referenceTo,
  table,
  tenant,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';
import { contentBytes } from './content-bytes.ts';

/** What a row of {@link templates} is: a template, or a partial that templates use. */
export type TemplateKind = 'template' | 'partial';

/** A template or a partial: its metadata, and its live version. */
export const templates = table('templates', {
  columns: {
    ...tenant,
    id: uuid(),
    operation_id: uuid(),
    kind: withDefault(text<TemplateKind>(), 'template'),
    name: text(),
    description: nullable(text()),
    type: text(),
    user_name: nullable(text()),
    icon_emoji: nullable(text()),
    fallback_text: nullable(text()),
    /** The default locale of requests; likewise the time zone. */
    locale: nullable(text()),
    timezone: nullable(text()),
    /** The default for whether a missing value is an error. */
    strict: withDefault(boolean(), false),
    /** Whether agents get a tool that sends it. */
    agent_sends: withDefault(boolean(), false),
    /** The live version; denormalized, so that finding it costs one row. */
    current_version_id: nullable(uuid()),
    current_version_number: nullable(integer()),
    /** Number of the newest version; counted under the row's lock, so that numbers have no gaps. */
    last_version_number: integer(),
    /** Who has written the settings since another person made them live; null for whoever created it. */
    settings_authors: nullable(json<string[]>()),
    /** How often the live version has changed. */
    activation_count: withDefault(integer(), 0),
    created_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
    archived_at: nullable(timestamp()),
  },
  primaryKey: { columns: ofTenant('id') },
  uniques: [{ name: 'templates_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'templates_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'templates_updated_at', columns: ofTenant('updated_at', 'id') },
    // By the name in lower case, which TypeORM cannot express.
    { name: 'templates_name', columns: ofTenant('name'), synchronize: false },
    // By the trigrams of name and description.
    { name: 'templates_search', columns: ['name'], synchronize: false },
  ],
  checks: [
    check('templates_environment', "environment in ('production', 'preview')"),
    check('templates_live_number', '(current_version_id is null) = (current_version_number is null)'),
  ],
  foreignKeys: [referenceTo('versions', 'templates_current_version', 'current_version_id')],
});

/** A row of {@link templates}. */
export type TemplateRow = RowOf<typeof templates>;

/** Of an unarchived template: when it had been archived. */
export const templateArchivals = table('template_archivals', {
  columns: {
    ...tenant,
    template_id: uuid(),
    last_archived_at: timestamp(),
  },
  primaryKey: { name: 'template_archivals_pk', columns: ofTenant('template_id') },
  foreignKeys: [partOf('templates', 'template_archivals_template', 'template_id')],
});

/** A row of {@link templateArchivals}. */
export type TemplateArchival = RowOf<typeof templateArchivals>;

/** A version of a template. */
export const versions = table('versions', {
  columns: {
    ...tenant,
    id: uuid(),
    template_id: uuid(),
    operation_id: uuid(),
    version_number: integer(),
    blocks: json<Block[]>(),
    sample_data: nullable(json<Record<string, unknown>>()),
    request_format: json<Record<string, null>>(),
    /** Describes the data of the version. */
    entity_id: nullable(uuid()),
    note: nullable(text()),
    created_by: text(),
    /** Who has written the draft that it was made from, or what it is a copy of; null for whoever created it alone. */
    authors: nullable(json<string[]>()),
    created_at: timestamp(),
    /** When it first became live; the only mutable column of a version. */
    first_live_at: nullable(timestamp()),
  },
  filledColumns: contentBytes,
  primaryKey: { columns: ofTenant('id') },
  uniques: [
    { name: 'versions_number', columns: ofTenant('template_id', 'version_number') },
    { name: 'versions_operation', columns: ofTenant('operation_id') },
  ],
  checks: [check('versions_counted', 'version_number > 0')],
  indices: [
    { name: 'versions_bytes', columns: ['organization_id'], synchronize: false },
    { name: 'versions_entity', columns: ofTenant('entity_id'), where: 'entity_id is not null' },
  ],
  foreignKeys: [
    partOf('templates', 'versions_template', 'template_id'),
    referenceTo('entities', 'versions_entity_fkey', 'entity_id'),
  ],
});

/** A row of {@link versions}. */
export type VersionRow = RowOf<typeof versions>;

/** A change of the live version. */
export const activations = table('activations', {
  columns: {
    ...tenant,
    id: uuid(),
    template_id: uuid(),
    operation_id: uuid(),
    /** 1, 2, 3 … within the template: the order of activations, independent of clocks. */
    activation_number: integer(),
    version_id: uuid(),
    version_number: integer(),
    previous_version_id: nullable(uuid()),
    activated_by: text(),
    source: text<'web' | 'api' | 'migration'>(),
    note: nullable(text()),
    created_at: timestamp(),
  },
  primaryKey: { columns: ofTenant('id') },
  uniques: [
    { name: 'activations_number', columns: ofTenant('template_id', 'activation_number') },
    { name: 'activations_operation', columns: ofTenant('operation_id') },
  ],
  checks: [
    check('activations_counted', 'activation_number > 0'),
    check('activations_source', "source in ('web', 'api', 'migration')"),
  ],
  foreignKeys: [partOf('templates', 'activations_template', 'template_id')],
});

/** A row of {@link activations}. */
export type ActivationRow = RowOf<typeof activations>;

/** A partial that a version holds itself, and not inside another one. */
export const partialUses = table('partial_uses', {
  columns: {
    ...tenant,
    version_id: uuid(),
    partial_id: uuid(),
    /** The number of the version of the partial. */
    partial_version: integer(),
    template_id: uuid(),
  },
  primaryKey: { name: 'partial_uses_pk', columns: ofTenant('version_id', 'partial_id', 'partial_version') },
  indices: [{ name: 'partial_uses_partial', columns: ofTenant('partial_id') }],
  foreignKeys: [
    partOf('versions', 'partial_uses_version', 'version_id'),
    partOf('templates', 'partial_uses_of', 'partial_id'),
  ],
});

/** The content of a version; the database keeps its JSON verbatim, including key order. */
export type VersionContent = Pick<VersionRow, 'blocks' | 'sample_data' | 'request_format'>;

/** A version without its content. */
export type VersionFacts = Omit<VersionRow, keyof VersionContent>;

/** A template as a list has it. */
export type ListedTemplateRow = Keyed<TemplateRow> & { readonly newest: VersionFacts | undefined };

/** The database's facts of a template id: none, or its state. */
export type LiveVersionRow = LiveVersionFacts | { name: null };

/** A template and its live version, if it has one. */
export interface LiveVersionFacts {
  name: string;
  user_name: string | null;
  icon_emoji: string | null;
  fallback_text: string | null;
  locale: string | null;
  timezone: string | null;
  strict: boolean;
  archived: boolean;
  current_version_id: string | null;
  current_version_number: number | null;
}
