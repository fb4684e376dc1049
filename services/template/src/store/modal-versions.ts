import { type GrowingPage, numberOfPlace, type Page } from '@stanza/contracts';
import { ownerOf, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { LessThan, Not } from 'typeorm';
import type { ReadActivationRights } from '../domain/activation-rights.ts';
import { authorsOfSettings } from '../domain/author.ts';
import type { ModalRow, ModalVersionRow } from '../domain/modal-tables.ts';
import { modalVersionEntity } from './entities.ts';
import { changeModal } from './modals.ts';
import { modalVersionFacts } from './newest-versions.ts';

/** Reads a version of a modal. */
export const findModalVersion = (
  tenant: Tenant,
  db: Queryable,
  modalId: string,
  id: string,
): Promise<ModalVersionRow | null> =>
  db.orm.findOneBy(modalVersionEntity, { ...ownerOf(tenant), modal_id: modalId, id });

/** Reads the active version of a modal, if it has one. */
export const activeVersionOf = async (
  tenant: Tenant,
  db: Queryable,
  { id, current_version_id }: Pick<ModalRow, 'id' | 'current_version_id'>,
): Promise<ModalVersionRow | null> =>
  current_version_id === null ? null : findModalVersion(tenant, db, id, current_version_id);

/** Reads the version created by an operation. */
export const findModalVersionMadeBy = (
  tenant: Tenant,
  db: Queryable,
  operationId: string,
): Promise<ModalVersionRow> =>
  db.orm.findOneByOrFail(modalVersionEntity, { ...ownerOf(tenant), operation_id: operationId });

/** Reads the newest version of a modal. */
export const newestModalVersion = (
  tenant: Tenant,
  db: Queryable,
  modalId: string,
): Promise<ModalVersionRow | null> =>
  db.orm.findOne(modalVersionEntity, {
    where: { ...ownerOf(tenant), modal_id: modalId },
    order: { version_number: 'DESC' },
  });

/** Whether a version of a modal is active, or was. */
export const hasBeenActive = (tenant: Tenant, db: Queryable, modalId: string): Promise<boolean> =>
  db.orm.existsBy(modalVersionEntity, { ...ownerOf(tenant), modal_id: modalId, status: Not('draft') });

/** TypeORM has no type for an insert of arbitrary JSON. */
const insertRow = statement<Record<string, never>>(
  'modal-version-insert',
  `insert into modal_versions (
     organization_id, environment, id, modal_id, operation_id, version_number, blocks, placeholder_mapping,
     sample_data, status, activation_operation_id, created_by, created_at, updated_at
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);

/** Saves a new version. */
export const insertModalVersion = async (tx: Transaction, row: ModalVersionRow): Promise<void> => {
  await tx.query(insertRow, [
    row.organization_id,
    row.environment,
    row.id,
    row.modal_id,
    row.operation_id,
    row.version_number,
    JSON.stringify(row.blocks),
    row.placeholder_mapping && JSON.stringify(row.placeholder_mapping),
    row.sample_data && JSON.stringify(row.sample_data),
    row.status,
    row.activation_operation_id,
    row.created_by,
    row.created_at,
    row.updated_at,
  ]);
};

/**
 * Makes a version the active one and the previous one inactive; the row of the modal must be locked.
 * @returns the updated version
 * @throws CodedError `activation_refused` where the policy of the organization does not let the caller
 */
export const makeActive = async (
  tenant: Tenant,
  tx: Transaction,
  { modal, version, operationId, at, readRights }: Activation,
): Promise<ModalVersionRow> => {
  const rights = await readRights();
  const settings = modal.current_version_id === null ? authorsOfSettings(modal) : [];
  rights.need([version.created_by, ...(modal.steps_authors ?? []), ...settings]);
  const ofModal = { ...ownerOf(tenant), modal_id: modal.id };
  const before = { status: 'inactive' as const, updated_at: at };
  await tx.orm.update(modalVersionEntity, { ...ofModal, status: 'active' }, before);
  const now = { status: 'active' as const, activation_operation_id: operationId, updated_at: at };
  await tx.orm.update(modalVersionEntity, { ...ofModal, id: version.id }, now);
  await changeModal(tenant, tx, modal.id, { current_version_id: version.id, updated_at: at });
  return { ...version, ...now };
};

/** A version to become the active one of its modal. */
export interface Activation {
  modal: Pick<ModalRow, 'id' | 'steps_authors' | 'settings_authors' | 'created_by' | 'current_version_id'>;
  version: ModalVersionRow;
  operationId: string;
  at: Date;
  /** Reads what the policies of the organization let the caller do. */
  readRights: ReadActivationRights;
}

const pageBytes = statement<{ bytes: string }>(
  'modal-versions-page-bytes',
  `select coalesce(sum(bytes), 0) as bytes
   from (
     select octet_length(blocks::text) + coalesce(octet_length(placeholder_mapping::text), 0) as bytes
     from modal_versions
     where organization_id = $1
       and environment = $2
       and modal_id = $3
       and ($6::bigint is null or version_number < $6)
     order by version_number desc
     limit $4
     offset $5
   ) as page`,
);

/** Bytes of the content of a page of versions. */
export const bytesOfModalVersions = async (
  tenant: Tenant,
  tx: Transaction,
  modalId: string,
  { cursor, limit, offset }: GrowingPage,
): Promise<number> => {
  const before = cursor === undefined ? null : numberOfPlace(cursor);
  const asked = [tenant.organizationId, tenant.environment, modalId, limit, offset, before];
  const [row] = await tx.query(pageBytes, asked);
  return Number(row?.bytes ?? 0);
};

/** The columns of lists. */
type Listed = Omit<ModalVersionRow, 'sample_data'>;

const listed = {
  ...modalVersionFacts,
  blocks: true,
  placeholder_mapping: true,
} as const satisfies Record<keyof Listed, unknown>;

/** Lists the versions of a modal, newest first, without their sample data. */
export const pageOfModalVersions = async (
  tenant: Tenant,
  tx: Transaction,
  modalId: string,
  { cursor, limit, offset }: GrowingPage,
): Promise<Page<Listed>> => {
  const [items, total] = await tx.orm.findAndCount(modalVersionEntity, {
    select: listed,
    where: {
      ...ownerOf(tenant),
      modal_id: modalId,
      ...(cursor !== undefined && { version_number: LessThan(numberOfPlace(cursor)) }),
    },
    order: { version_number: 'DESC' },
    take: limit,
    skip: offset,
  });
  return { items, total };
};
