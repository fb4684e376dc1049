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
  parentId: keyof V & ('template_id' | 'modal_id');
}

/** Adds the newest version of each to templates or modals, with the chosen columns alone. */
const withNewest = async <V extends ObjectLiteral, T extends { id: string }>(
  tenant: Tenant,
  tx: Transaction,
  rows: readonly T[],
  { entity, columns, parents, parentId }: Versions<V>,
): Promise<(T & { newest: V | undefined })[]> => {
  const found = await tx.orm
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
    .andWhere(`version.${parentId} = any(:ids)`, { ids: rows.map(({ id }) => id) })
    .getMany();
  const newest = new Map<unknown, V>(found.map((version) => [version[parentId], version]));
  return rows.map((row) => ({ ...row, newest: newest.get(row.id) }));
};

/** Adds the newest version of each to templates, without its content. */
export const withNewestOfTemplates = <T extends TemplateRow>(
  tenant: Tenant,
  tx: Transaction,
  rows: readonly T[],
): Promise<(T & { newest: VersionFacts | undefined })[]> =>
  withNewest(tenant, tx, rows, {
    entity: versionEntity,
    columns: versionFacts,
    parents: 'templates',
    parentId: 'template_id',
  });

/** Adds the newest version of each to modals, without its content. */
export const withNewestOfModals = <T extends ModalRow>(
  tenant: Tenant,
  tx: Transaction,
  rows: readonly T[],
): Promise<(T & { newest: ModalVersionFacts | undefined })[]> =>
  withNewest(tenant, tx, rows, {
    entity: modalVersionEntity,
    columns: modalVersionFacts,
    parents: 'modals',
    parentId: 'modal_id',
  });
