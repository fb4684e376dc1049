import type { InputOf, listModals, Page } from '@stanza/contracts';
import { type Database, ownerOf, type Queryable, type Tenant, type Transaction } from '@stanza/runtime';
import type { ListedModalRow, ModalRow } from '../domain/modal-tables.ts';
import { modalEntity } from './entities.ts';
import { modalKeys } from './keys.ts';
import { pageOf } from './named-list.ts';
import { withNewestOfModals } from './newest-versions.ts';
import { rowUpdate } from './row-update.ts';
import { atOneMoment } from './snapshot.ts';

/** The filters, order and page of a list of modals. */
export type ModalQuery = InputOf<typeof listModals>['query'];

/** Reads a modal. */
export const findModal = (tenant: Tenant, db: Queryable, id: string): Promise<ModalRow | null> =>
  db.orm.findOneBy(modalEntity, { ...ownerOf(tenant), id });

/** Reads the modal created by an operation. */
export const findModalMadeBy = (tenant: Tenant, db: Queryable, operationId: string): Promise<ModalRow> =>
  db.orm.findOneByOrFail(modalEntity, { ...ownerOf(tenant), operation_id: operationId });

/** Reads a modal and locks it against changes until the transaction ends. */
export const lockModal = (tenant: Tenant, tx: Transaction, id: string): Promise<ModalRow | null> =>
  tx.orm.findOne(modalEntity, {
    where: { ...ownerOf(tenant), id },
    lock: { mode: 'pessimistic_write' },
  });

/** Saves a new modal, without steps, their authors and active version. */
export const insertModal = async (
  tx: Transaction,
  { steps: _, steps_authors: __, ...row }: ModalRow,
): Promise<void> => {
  await tx.orm.insert(modalEntity, row);
};

/** Updates a modal's state of its versions. */
export const changeModal = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Partial<Pick<ModalRow, 'current_version_id' | 'last_version_number' | 'updated_at'>>,
): Promise<void> => {
  await tx.orm.update(modalEntity, { ...ownerOf(tenant), id }, changes);
};

/** Writes the new values of a locked modal. */
export const writeModal = rowUpdate<ModalRow>('modal-update', 'modals', {
  columns: [
    'name',
    'description',
    'title',
    'submit_label',
    'close_label',
    'steps',
    'updated_at',
    'steps_authors',
    'settings_authors',
  ],
  json: ['steps', 'steps_authors', 'settings_authors'],
});

/** Deletes a modal with its versions. */
export const removeModal = async (tenant: Tenant, tx: Transaction, id: string): Promise<void> => {
  await tx.orm.delete(modalEntity, { ...ownerOf(tenant), id });
};

/** Lists modals; page and total come from one snapshot. */
export const pageOfModals = (
  tenant: Tenant,
  database: Database,
  query: ModalQuery,
): Promise<Page<ListedModalRow>> =>
  atOneMoment(database, async (tx) => {
    const all = tx.orm.createQueryBuilder(modalEntity, 'modal').where(ownerOf(tenant));
    const { items, total } = await pageOf(all, query, 'modal_keys');
    const keyed = await modalKeys.withKeys(tenant, tx, items);
    return { items: await withNewestOfModals(tenant, tx, keyed), total };
  });
