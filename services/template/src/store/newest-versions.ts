import { ownerOf, type Tenant, type Transaction } from '@stanza/runtime';
import type { EntitySchema, ObjectLiteral } from 'typeorm';
import type { ModalRow, ModalVersionFacts } from '../domain/modal-tables.ts';
import type { TemplateRow, VersionFacts } from '../domain/tables.ts';
import { modalVersionEntity, versionEntity } from './entities.ts';

/** The columns of a version of a template without its content. */
export const versionFacts = {
  organization_id: true,
  environment: true,
  id: true,
  template_id: true,
  operation_id: true,
  version_number: true,
  entity_id: true,
  note: true,
  created_by: true,
  authors: true,
  created_at: true,
  first_live_at: true,
} as const satisfies Record<keyof VersionFacts, true>;

/** The columns of a version of a modal without its content. */
export const modalVersionFacts = {
  organization_id: true,
  environment: true,
  id: true,
  modal_id: true,
  operation_id: true,
  version_number: true,
  status: true,
  activation_operation_id: true,
  created_by: true,
  created_at: true,
  updated_at: true,
} as const satisfies Record<keyof ModalVersionFacts, true>;

/** Versions, and what they are versions of. */
interface Versions<V extends ObjectLiteral> {
  entity: EntitySchema<V>;
  columns: object;
  parents: 'templates' | 'modals';
  parentId: 'template_id' | 'modal_id';
}

/** Reads the newest version of each of some templates or modals, with the chosen columns alone. */
const newestOf = <V extends ObjectLiteral>(
  tenant: Tenant,
  tx: Transaction,
  ids: readonly string[],
  { entity, columns, parents, parentId }: Versions<V>,
): Promise<V[]> =>
  tx.orm
    .createQueryBuilder(entity, 'version')
    .select(Object.keys(columns).map((column) => `version.${column}`))
    .innerJoin(
      parents,
      'parent',
      `parent.organization_id = version.organization_id
        and parent.environment = version.environment
        and parent.id = version.${parentId}
        and parent.last_version_number = version.version_number`,
    )
    .where(ownerOf(tenant))
    .andWhere(`version.${parentId} = any(:ids)`, { ids })
    .getMany();

/** Adds the newest version of each to templates, without its content. */
export const withNewestOfTemplates = async <T extends TemplateRow>(
  tenant: Tenant,
  tx: Transaction,
  rows: readonly T[],
): Promise<(T & { newest: VersionFacts | undefined })[]> => {
  const ids = rows.map(({ id }) => id);
  const versions = {
    entity: versionEntity,
    columns: versionFacts,
    parents: 'templates',
    parentId: 'template_id',
  } as const;
  const found = await newestOf(tenant, tx, ids, versions);
  const newest = new Map(found.map((version) => [version.template_id, version]));
  return rows.map((row) => ({ ...row, newest: newest.get(row.id) }));
};

/** Adds the newest version of each to modals, without its content. */
export const withNewestOfModals = async <T extends ModalRow>(
  tenant: Tenant,
  tx: Transaction,
  rows: readonly T[],
): Promise<(T & { newest: ModalVersionFacts | undefined })[]> => {
  const ids = rows.map(({ id }) => id);
  const versions = {
    entity: modalVersionEntity,
    columns: modalVersionFacts,
    parents: 'modals',
    parentId: 'modal_id',
  } as const;
  const found = await newestOf(tenant, tx, ids, versions);
  const newest = new Map(found.map((version) => [version.modal_id, version]));
  return rows.map((row) => ({ ...row, newest: newest.get(row.id) }));
};
