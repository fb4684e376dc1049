import { CodedError, limits, notFound } from '@stanza/contracts';
import type { Database, Keyed, Tenant, Transaction } from '@stanza/runtime';
import type { EntityRow, FieldRow, SampleDataRow } from '../domain/data-tables.ts';
import type { TemplateRow, VersionRow } from '../domain/tables.ts';
import { fieldsOf } from '../store/entity-fields.ts';
import { findEntity } from '../store/entity-records.ts';
import { entityKeys, templateKeys } from '../store/keys.ts';
import { bytesToPromote, samplesToPromote } from '../store/promotions.ts';
import { liveOrNewestVersion } from '../store/requested-version.ts';
import { sampleDataOf } from '../store/sample-data.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';

/** A template with what goes along with it. */
export interface SourceTemplate {
  template: Keyed<TemplateRow>;
  /** The live version, else the newest. */
  version: VersionRow;
  samples: SampleDataRow[];
}

/** An entity with its fields. */
export interface SourceEntity {
  entity: Keyed<EntityRow>;
  fields: FieldRow[];
}

/** What is promoted, as it is in the environment that it comes from; both lists in the order of their keys. */
export interface Source {
  templates: SourceTemplate[];
  entities: SourceEntity[];
}

const tooMuch = (size: string, limit: number): CodedError =>
  new CodedError('invalid_request', {
    http_status: 413,
    message: `The templates have ${size}, and one promotion copies ${limit}; promote fewer at a time, or delete sample data that is not needed.`,
  });

const templatesOf = async (tenant: Tenant, tx: Transaction, keys: readonly string[]) => {
  const found: Keyed<TemplateRow>[] = [];
  const missing: string[] = [];
  for (const key of [...keys].sort()) {
    const id = await templateKeys.idOf(tenant, tx, key);
    const template = id === undefined ? null : await findTemplate(tenant, tx, id);
    if (template) found.push({ ...template, key });
    else missing.push(key);
  }
  if (missing.length > 0) {
    throw new CodedError('template_not_found', {
      message: `${tenant.environment} has no template with the key ${missing.join(', ')}.`,
    });
  }
  const archived = found.filter(({ archived_at }) => archived_at !== null);
  if (archived.length > 0) {
    throw new CodedError('invalid_state', {
      message: `${archived.map(({ key }) => key).join(', ')} of ${tenant.environment}: archived; unarchive first.`,
    });
  }
  return found;
};

/** Checked before the content is read into memory. */
const checkSize = async (tenant: Tenant, tx: Transaction, templates: readonly TemplateRow[]) => {
  const ids = templates.map(({ id }) => id);
  const samples = await samplesToPromote(tenant, tx, ids);
  if (samples > limits.promotedSamples)
    throw tooMuch(`${samples} pieces of sample data`, limits.promotedSamples);
  const bytes = await bytesToPromote(tenant, tx, ids);
  if (bytes > limits.promotedBytes) {
    throw tooMuch(`${bytes} bytes with their sample data`, limits.promotedBytes);
  }
};

const entitiesOf = async (tenant: Tenant, tx: Transaction, templates: readonly SourceTemplate[]) => {
  const ids = new Set(
    templates
      .flatMap(({ version, samples }) => [version.entity_id, ...samples.map((it) => it.entity_id)])
      .filter((id) => id !== null),
  );
  const entities: SourceEntity[] = [];
  for (const id of ids) {
    const row = await findEntity(tenant, tx, id);
    if (!row) throw notFound('entity');
    const entity = await entityKeys.withKey(tenant, tx, row);
    entities.push({ entity, fields: await fieldsOf(tenant, tx, id) });
  }
  return entities.sort((one, other) => (one.entity.key < other.entity.key ? -1 : 1));
};

/**
 * Reads from one snapshot what a promotion copies.
 * @throws CodedError `template_not_found` that names every key without a template, `invalid_state` for archived ones,
 * `invalid_request` for more than one promotion copies
 */
export const readSource = (tenant: Tenant, database: Database, keys: readonly string[]): Promise<Source> =>
  atOneMoment(database, async (tx) => {
    const found = await templatesOf(tenant, tx, keys);
    await checkSize(tenant, tx, found);
    const templates: SourceTemplate[] = [];
    for (const template of found) {
      const version = await liveOrNewestVersion(tenant, tx, template);
      templates.push({ template, version, samples: await sampleDataOf(tenant, tx, template.id) });
    }
    return { templates, entities: await entitiesOf(tenant, tx, templates) };
  });
