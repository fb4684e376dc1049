import type { Environment, FieldType } from '@stanza/contracts';

/** An entity: what the data of templates is about, described by fields. */
export interface EntityRow {
  organization_id: string;
  environment: Environment;
  id: string;
  operation_id: string;
  name: string;
  description: string | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** A field of an entity, or of another field of it. */
export interface FieldRow {
  organization_id: string;
  environment: Environment;
  id: string;
  operation_id: string;
  entity_id: string;
  /** The object that it is a part of, or the list whose items it is a part of; null at the top. */
  parent_field_id: string | null;
  /** The key in the data. */
  name: string;
  /** What people call it. */
  label: string | null;
  type: FieldType;
  description: string | null;
  required: boolean;
  created_at: Date;
  updated_at: Date;
}

/** Sample data but for the data. */
export interface SampleDataFacts {
  organization_id: string;
  environment: Environment;
  id: string;
  operation_id: string;
  name: string;
  description: string | null;
  template_id: string | null;
  /** Describes the data, which fitted it when it was saved. */
  entity_id: string | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** Data to try templates with. */
export interface SampleDataRow extends SampleDataFacts {
  data: Record<string, unknown>;
}
