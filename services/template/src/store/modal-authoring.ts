import {
  type Allowance,
  checkRoomOf,
  type Database,
  type Keyed,
  ownerOf,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { ReadActivationRights } from '../domain/activation-rights.ts';
import type { ModalRow, ModalVersionRow } from '../domain/modal-tables.ts';
import { modalKeys } from './keys.ts';
import { findModalVersionMadeBy, insertModalVersion, makeActive } from './modal-versions.ts';
import { changeModal, findModalMadeBy, insertModal, lockModal } from './modals.ts';
import { once } from './once.ts';
import { atOneMoment } from './snapshot.ts';
import { withinStoredBytes } from './stored-bytes.ts';

type WithoutOwner<T> = Omit<T, 'organization_id' | 'environment'>;

/** A modal with its first version. */
export interface CreatedModal {
  modal: Keyed<ModalRow>;
  version: ModalVersionRow;
}

/** A version to be appended: a draft; its modal assigns the number. */
export type NewModalVersion = Omit<
  WithoutOwner<ModalVersionRow>,
  'version_number' | 'status' | 'activation_operation_id'
>;

/** Options of saving a version. */
export interface Saving<T> {
  allowance: Allowance;
  /** Also makes it the active one, where these rights let the caller; null leaves it a draft. */
  readRights: ReadActivationRights | null;
  /** Runs in the same transaction, after the write. */
  record: (tx: Transaction, saved: T) => Promise<void>;
}

const draft = { status: 'draft', activation_operation_id: null } as const;

const save = async (
  tenant: Tenant,
  tx: Transaction,
  modal: ModalRow,
  version: ModalVersionRow,
  readRights: ReadActivationRights | null,
): Promise<ModalVersionRow> => {
  await insertModalVersion(tx, version);
  if (!readRights) return version;
  const { operation_id: operationId, created_at: at } = version;
  return makeActive(tenant, tx, { modal, version, operationId, at, readRights });
};

/** Saves a new modal with its first version; a repeat of the operation returns the saved one. */
export const insertModalOnce = (
  tenant: Tenant,
  database: Database,
  made: { modal: WithoutOwner<ModalRow>; version: NewModalVersion; key: string | undefined },
  {
    allowance,
    readRights,
    check,
    record,
  }: Saving<CreatedModal> & { check: (tx: Transaction) => Promise<void> },
): Promise<CreatedModal> => {
  const modal = { ...ownerOf(tenant), ...made.modal };
  const first = { ...ownerOf(tenant), ...made.version, ...draft, version_number: 1 };
  const create = async (tx: Transaction) => {
    await check(tx);
    await insertModal(tx, modal);
    if (made.key !== undefined) await modalKeys.change(tenant, tx, modal.id, made.key);
    const version = await save(tenant, tx, modal, first, readRights);
    const current_version_id = readRights ? version.id : null;
    const keyed = await modalKeys.withKey(tenant, tx, { ...modal, current_version_id });
    const saved = { modal: keyed, version };
    await record(tx, saved);
    return saved;
  };
  return once(
    'modals_operation',
    () => database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => create(tx))),
    () =>
      atOneMoment(database, async (tx) => ({
        modal: await modalKeys.withKey(tenant, tx, await findModalMadeBy(tenant, tx, modal.operation_id)),
        version: await findModalVersionMadeBy(tenant, tx, modal.operation_id),
      })),
  );
};

/**
 * Appends a version to its modal; a repeat of the operation returns the appended one. The lock of the modal's row lasts
 * until the version is inserted, so numbers have no gaps and no duplicates.
 * @returns null for an unknown modal
 */
export const appendModalVersionOnce = (
  tenant: Tenant,
  database: Database,
  made: NewModalVersion,
  { readRights, allowance, record }: Saving<ModalVersionRow>,
): Promise<ModalVersionRow | null> => {
  const append = async (tx: Transaction) => {
    const modal = await lockModal(tenant, tx, made.modal_id);
    if (!modal) return null;
    const version_number = modal.last_version_number + 1;
    await changeModal(tenant, tx, modal.id, {
      last_version_number: version_number,
      updated_at: made.created_at,
    });
    const next = { ...ownerOf(tenant), ...made, ...draft, version_number };
    const version = await save(tenant, tx, modal, next, readRights);
    // After the insert, so that a repeat finds its version.
    checkRoomOf('versions', allowance, modal.last_version_number);
    await record(tx, version);
    return version;
  };
  return once(
    'modal_versions_operation',
    () => database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => append(tx))),
    () => findModalVersionMadeBy(tenant, database, made.operation_id),
  );
};
