import { type Database, isUniqueViolation, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { openedModals } from '../domain/opened-modals.ts';
import type { TemplateRow, VersionRow } from '../domain/rows.ts';
import { templateEntity, versionEntity } from './entities.ts';
import { noteOpenedModals } from './modal-references.ts';
import { ownerOf } from './owner.ts';
import { atOneMoment } from './snapshot.ts';
import { changeTemplate, findTemplate, lockTemplate } from './templates.ts';

type WithoutOwner<T> = Omit<T, 'organization_id' | 'environment'>;

/** A template with its first version. */
export interface Created {
  template: TemplateRow;
  version: VersionRow;
}

/** A version to be appended: its number comes from its template. */
export type NewVersion = Omit<WithoutOwner<VersionRow>, 'version_number' | 'first_live_at'>;

/** A version, and which one was live when it was read. */
export interface Appended {
  version: VersionRow;
  currentVersionId: string | null;
}

/** The ORM has no type for an insert of free JSON. */
const versionInsert = statement<Record<string, never>>(
  'version-insert',
  `insert into versions (
     organization_id, environment, id, template_id, operation_id, version_number,
     blocks, sample_data, request_format, entity_id, note, created_by, created_at
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);

const insertVersion = async (tenant: Tenant, tx: Transaction, version: VersionRow): Promise<void> => {
  await tx.query(versionInsert, [
    version.organization_id,
    version.environment,
    version.id,
    version.template_id,
    version.operation_id,
    version.version_number,
    JSON.stringify(version.blocks),
    version.sample_data && JSON.stringify(version.sample_data),
    JSON.stringify(version.request_format),
    version.entity_id,
    version.note,
    version.created_by,
    version.created_at,
  ]);
  await noteOpenedModals(tenant, tx, version, openedModals(version.blocks));
};

const findCreated = async (tenant: Tenant, tx: Transaction, operationId: string): Promise<Created> => {
  const madeBy = { ...ownerOf(tenant), operation_id: operationId };
  const template = await tx.orm.findOneByOrFail(templateEntity, madeBy);
  return { template, version: await tx.orm.findOneByOrFail(versionEntity, madeBy) };
};

/** What runs in a transaction that saves. */
export interface Around<T> {
  /** Before anything is written; what it throws keeps everything as it is. */
  check: (tx: Transaction) => Promise<void>;
  /** After it. */
  record: (tx: Transaction, saved: T) => Promise<void>;
}

/** Saves a new template with its first version; if their operation has done so before, answers what it saved then. */
export const insertTemplateOnce = async (
  tenant: Tenant,
  database: Database,
  made: { template: WithoutOwner<TemplateRow>; version: WithoutOwner<VersionRow> },
  { check, record }: Around<Created>,
): Promise<Created> => {
  const template = { ...ownerOf(tenant), ...made.template };
  const version = { ...ownerOf(tenant), ...made.version };
  try {
    await database.transaction(async (tx) => {
      await check(tx);
      await tx.orm.insert(templateEntity, template);
      await insertVersion(tenant, tx, version);
      await record(tx, { template, version });
    });
    return { template, version };
  } catch (error) {
    if (!isUniqueViolation(error, 'templates_operation')) throw error;
    return atOneMoment(database, (tx) => findCreated(tenant, tx, template.operation_id));
  }
};

/** The lock of the template's row lasts until the version is there, so numbers have no gaps and no doubles. */
const append = async (tenant: Tenant, tx: Transaction, made: NewVersion): Promise<Appended | null> => {
  const template = await lockTemplate(tenant, tx, made.template_id);
  if (!template) return null;
  const version_number = template.last_version_number + 1;
  const version = { ...ownerOf(tenant), ...made, version_number, first_live_at: null };
  await insertVersion(tenant, tx, version);
  const changes = { last_version_number: version_number, updated_at: made.created_at };
  await changeTemplate(tenant, tx, template.id, changes);
  return { version, currentVersionId: template.current_version_id };
};

const findAppended = async (tenant: Tenant, tx: Transaction, operationId: string): Promise<Appended> => {
  const madeBy = { ...ownerOf(tenant), operation_id: operationId };
  const version = await tx.orm.findOneByOrFail(versionEntity, madeBy);
  const template = await findTemplate(tenant, tx, version.template_id);
  return { version, currentVersionId: template?.current_version_id ?? null };
};

/**
 * Appends a version to its template; if its operation has done so before, answers what it appended then.
 * @returns null when there is no such template
 */
export const appendVersionOnce = async (
  tenant: Tenant,
  database: Database,
  made: NewVersion,
  { check, record }: Around<VersionRow>,
): Promise<Appended | null> => {
  try {
    return await database.transaction(async (tx) => {
      await check(tx);
      const appended = await append(tenant, tx, made);
      if (appended) await record(tx, appended.version);
      return appended;
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'versions_operation')) throw error;
    return atOneMoment(database, (tx) => findAppended(tenant, tx, made.operation_id));
  }
};
