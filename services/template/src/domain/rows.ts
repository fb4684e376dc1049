import type { Block, Environment } from '@stanza/contracts';

/** A template: its metadata, and which of its versions is live. */
export interface TemplateRow {
  organization_id: string;
  environment: Environment;
  id: string;
  operation_id: string;
  name: string;
  description: string | null;
  type: string;
  user_name: string | null;
  icon_emoji: string | null;
  fallback_text: string | null;
  /** Used where a request names none; so is the time zone. */
  locale: string | null;
  timezone: string | null;
  /** Whether a missing value is an error where a request does not say. */
  strict: boolean;
  /** The live version; repeated here so that finding it costs one row. */
  current_version_id: string | null;
  current_version_number: number | null;
  /** Number of the newest version; counted under the row's lock, so that numbers have no gaps. */
  last_version_number: number;
  /** How often the live version changed. */
  activation_count: number;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
}

/** Of a template that was taken back into service: when it had been archived. */
export interface TemplateArchival {
  organization_id: string;
  environment: Environment;
  template_id: string;
  last_archived_at: Date;
}

/** The content of a version; the database keeps its JSON as it came, key order included. */
export interface VersionContent {
  blocks: Block[];
  sample_data: Record<string, unknown> | null;
  request_format: Record<string, null>;
}

/** A version but for its content. */
export interface VersionFacts {
  organization_id: string;
  environment: Environment;
  id: string;
  template_id: string;
  operation_id: string;
  version_number: number;
  /** Describes the data of the version. */
  entity_id: string | null;
  note: string | null;
  created_by: string;
  created_at: Date;
  /** When it became live for the first time; the only thing about a version that is ever written again. */
  first_live_at: Date | null;
}

/** A version of a template. */
export interface VersionRow extends VersionFacts, VersionContent {}

/** A change of which version is live. */
export interface ActivationRow {
  organization_id: string;
  environment: Environment;
  id: string;
  template_id: string;
  operation_id: string;
  /** 1, 2, 3 … within the template: the order in which they happened, whatever the clocks say. */
  activation_number: number;
  version_id: string;
  version_number: number;
  previous_version_id: string | null;
  activated_by: string;
  source: 'web' | 'api' | 'migration';
  note: string | null;
  created_at: Date;
}

/** What the database knows of a template so named: nothing, or its facts. */
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
