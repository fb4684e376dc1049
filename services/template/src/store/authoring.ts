import { CodedError } from '@stanza/contracts';
import { partialsIn } from '@stanza/engine';
import {
  type Allowance,
  checkRoomOf,
  type Database,
  isUniqueViolation,
  type Keyed,
  ownerOf,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { openedModals } from '../domain/opened-modals.ts';
import type { TemplateRow, VersionRow } from '../domain/tables.ts';
import { templateEntity, versionEntity } from './entities.ts';
import { templateKeys } from './keys.ts';
import { noteOpenedModals } from './modal-references.ts';
import { notePartials } from './partials.ts';
import { atOneMoment } from './snapshot.ts';
import { withinStoredBytes } from './stored-bytes.ts';
import { changeTemplate, findTemplateOrPartial, lockTemplateOrPartial } from './templates.ts';

type WithoutOwner<T> = Omit<T, 'organization_id' | 'environment'>;

/** A template with its first version. */
export interface Created {
  template: Keyed<TemplateRow>;
  version: VersionRow;
}

/** A version to be appended; its template assigns the number. */
export type NewVersion = Omit<WithoutOwner<VersionRow>, 'version_number' | 'first_live_at' | 'authors'> &
  Partial<Pick<VersionRow, 'authors'>>;

/** A version, and the live version at the moment of reading. */
export interface Appended {
  version: VersionRow;
  currentVersionId: string | null;
}

/** TypeORM has no type for an insert of arbitrary JSON. */
const versionInsert = statement<Record<string, never>>(
  'version-insert',
  `insert into versions (
     organization_id, environment, id, template_id, operation_id, version_number,
     blocks, sample_data, request_format, entity_id, note, created_by, created_at, authors
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
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
    version.authors && JSON.stringify(version.authors),
  ]);
  await noteOpenedModals(tenant, tx, version, openedModals(version.blocks));
  if (await notePartials(tenant, tx, version, partialsIn(version.blocks))) return;
  throw new CodedError('invalid_state', {
    message:
      'A partial of the version was deleted since the request began; nothing was saved. Send it again.',
  });
};

const findCreated = async (tenant: Tenant, tx: Transaction, operationId: string): Promise<Created> => {
  const madeBy = { ...ownerOf(tenant), operation_id: operationId };
  const found = await tx.orm.findOneByOrFail(templateEntity, madeBy);
  const template = await templateKeys.withKey(tenant, tx, found);
  return { template, version: await tx.orm.findOneByOrFail(versionEntity, madeBy) };
};

/** What bounds a saving transaction, and its callbacks. */
export interface Around<T> {
  allowance: Allowance;
  /** Runs before anything is written; an error rolls back. */
  check: (tx: Transaction) => Promise<void>;
  /** Runs after the write. */
  record: (tx: Transaction, saved: T) => Promise<void>;
}

/** A new template with its first version. */
export interface NewTemplate {
  template: WithoutOwner<TemplateRow>;
  version: WithoutOwner<VersionRow>;
  /** Made from the name unless given. */
  key: string | undefined;
}

/** Saves a new template with its first version. */
export const insertTemplate = async (
  tenant: Tenant,
  tx: Transaction,
  made: NewTemplate,
): Promise<Created> => {
  const template = { ...ownerOf(tenant), ...made.template };
  const version = { ...ownerOf(tenant), ...made.version };
  await tx.orm.insert(templateEntity, template);
  if (made.key !== undefined) await templateKeys.change(tenant, tx, template.id, made.key);
  await insertVersion(tenant, tx, version);
  return { template: await templateKeys.withKey(tenant, tx, template), version };
};

/** Saves a new template with its first version; a repeat of the operation returns the saved one. */
export const insertTemplateOnce = async (
  tenant: Tenant,
  database: Database,
  made: NewTemplate,
  { allowance, check, record }: Around<Created>,
): Promise<Created> => {
  const save = async (tx: Transaction) => {
    await check(tx);
    const saved = await insertTemplate(tenant, tx, made);
    await record(tx, saved);
    return saved;
  };
  try {
    return await database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => save(tx)));
  } catch (error) {
    if (!isUniqueViolation(error, 'templates_operation')) throw error;
    return atOneMoment(database, (tx) => findCreated(tenant, tx, made.template.operation_id));
  }
};

/**
 * Appends a version to its template. The lock of the template's row lasts until the version is inserted, so numbers have
 * no gaps and no duplicates.
 * @returns null for an unknown template
 * @throws CodedError `tier_limit`
 */
export const appendVersion = async (
  tenant: Tenant,
  tx: Transaction,
  allowance: Allowance,
  made: NewVersion,
): Promise<Appended | null> => {
  const template = await lockTemplateOrPartial(tenant, tx, made.template_id);
  if (!template) return null;
  const version_number = template.last_version_number + 1;
  const version = { ...ownerOf(tenant), authors: null, ...made, version_number, first_live_at: null };
  await insertVersion(tenant, tx, version);
  // After the insert, so that a repeat finds its version. None is ever deleted, so the last number counts them.
  checkRoomOf('versions', allowance, template.last_version_number);
  const changes = { last_version_number: version_number, updated_at: made.created_at };
  await changeTemplate(tenant, tx, template.id, changes);
  return { version, currentVersionId: template.current_version_id };
};

const findAppended = async (tenant: Tenant, tx: Transaction, operationId: string): Promise<Appended> => {
  const madeBy = { ...ownerOf(tenant), operation_id: operationId };
  const version = await tx.orm.findOneByOrFail(versionEntity, madeBy);
  const template = await findTemplateOrPartial(tenant, tx, version.template_id);
  return { version, currentVersionId: template?.current_version_id ?? null };
};

/**
 * Appends a version to its template; a repeat of the operation returns the appended one.
 * @returns null for an unknown template
 */
export const appendVersionOnce = async (
  tenant: Tenant,
  database: Database,
  made: NewVersion,
  { allowance, check, record }: Around<VersionRow>,
): Promise<Appended | null> => {
  const save = async (tx: Transaction) => {
    await check(tx);
    const appended = await appendVersion(tenant, tx, allowance, made);
    if (appended) await record(tx, appended.version);
    return appended;
  };
  try {
    return await database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => save(tx)));
  } catch (error) {
    if (!isUniqueViolation(error, 'versions_operation')) throw error;
    return atOneMoment(database, (tx) => findAppended(tenant, tx, made.operation_id));
  }
};
