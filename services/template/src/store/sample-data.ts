import type { InputOf, listSampleData, Page } from '@stanza/contracts';
import {
  type Allowance,
  type Database,
  filteredId,
  ownerOf,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { SampleDataFacts, SampleDataRow } from '../domain/data-tables.ts';
import { sampleDataEntity } from './entities.ts';
import { entityKeys, templateKeys } from './keys.ts';
import { pageOf } from './named-list.ts';
import { once } from './once.ts';
import { rowUpdate } from './row-update.ts';
import { atOneMoment } from './snapshot.ts';
import { withinStoredBytes } from './stored-bytes.ts';

/** The filters, order and page of a list of sample data. */
export type SampleDataQuery = InputOf<typeof listSampleData>['query'];

/** Reads sample data. */
export const findSampleData = (tenant: Tenant, db: Queryable, id: string): Promise<SampleDataRow | null> =>
  db.orm.findOneBy(sampleDataEntity, { ...ownerOf(tenant), id });

/** Reads sample data and locks it against changes until the transaction ends. */
export const lockSampleData = (tenant: Tenant, tx: Transaction, id: string): Promise<SampleDataRow | null> =>
  tx.orm.findOne(sampleDataEntity, {
    where: { ...ownerOf(tenant), id },
    lock: { mode: 'pessimistic_write' },
  });

/** TypeORM has no type for a write of arbitrary JSON. */
const insertRow = statement<Record<string, never>>(
  'sample-data-insert',
  `insert into sample_data (
     organization_id, environment, id, operation_id, name, description, data, template_id, entity_id,
     created_by, created_at, updated_at
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

type NewSampleData = Omit<SampleDataRow, 'organization_id' | 'environment'>;

/** Saves new sample data. */
export const insertSampleData = async (
  tenant: Tenant,
  tx: Transaction,
  made: NewSampleData,
): Promise<SampleDataRow> => {
  const row = { ...ownerOf(tenant), ...made };
  await tx.query(insertRow, [
    row.organization_id,
    row.environment,
    row.id,
    row.operation_id,
    row.name,
    row.description,
    JSON.stringify(row.data),
    row.template_id,
    row.entity_id,
    row.created_by,
    row.created_at,
    row.updated_at,
  ]);
  return row;
};

/**
 * Saves new sample data; a repeat of the operation returns the saved one.
 * @param check runs before the write; an error rolls back
 * @param record runs after it, in the same transaction
 */
export const insertSampleDataOnce = (
  tenant: Tenant,
  database: Database,
  made: NewSampleData,
  {
    allowance,
    check,
    record,
  }: Record<'check' | 'record', (tx: Transaction) => Promise<void>> & { allowance: Allowance },
): Promise<SampleDataRow> => {
  const save = async (tx: Transaction) => {
    await check(tx);
    const row = await insertSampleData(tenant, tx, made);
    await record(tx);
    return row;
  };
  return once(
    'sample_data_operation',
    () => database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => save(tx))),
    () =>
      database.orm.findOneByOrFail(sampleDataEntity, {
        ...ownerOf(tenant),
        operation_id: made.operation_id,
      }),
  );
};

/** Reads the sample data of a template, oldest first. */
export const sampleDataOf = (tenant: Tenant, db: Queryable, templateId: string): Promise<SampleDataRow[]> =>
  db.orm.find(sampleDataEntity, {
    where: { ...ownerOf(tenant), template_id: templateId },
    order: { created_at: 'ASC', id: 'ASC' },
  });

/** Writes the new values of locked sample data. */
export const writeSampleData = rowUpdate<SampleDataRow>('sample-data-update', 'sample_data', {
  columns: ['name', 'description', 'data', 'template_id', 'entity_id', 'updated_at'],
  json: ['data'],
});

/** Deletes sample data. */
export const removeSampleData = async (tenant: Tenant, tx: Transaction, id: string): Promise<void> => {
  await tx.orm.delete(sampleDataEntity, { ...ownerOf(tenant), id });
};

const facts = [
  'organization_id',
  'environment',
  'id',
  'operation_id',
  'name',
  'description',
  'template_id',
  'entity_id',
  'created_by',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof SampleDataFacts)[];

/** Lists sample data without the data; page and total come from one snapshot. */
export const pageOfSampleData = (
  tenant: Tenant,
  database: Database,
  { template_id, template_key, entity_id, entity_key, ...page }: SampleDataQuery,
): Promise<Page<SampleDataFacts>> =>
  atOneMoment(database, async (tx) => {
    const template = filteredId(
      { id: template_id, key: template_key },
      template_key && (await templateKeys.idOf(tenant, tx, template_key)),
    );
    const entity = filteredId(
      { id: entity_id, key: entity_key },
      entity_key && (await entityKeys.idOf(tenant, tx, entity_key)),
    );
    if (template === null || entity === null) return { items: [], total: 0 };
    const query = tx.orm
      .createQueryBuilder(sampleDataEntity, 'sample')
      .select(facts.map((column) => `sample.${column}`))
      .where(ownerOf(tenant));
    if (template !== undefined) query.andWhere({ template_id: template });
    if (entity !== undefined) query.andWhere({ entity_id: entity });
    return pageOf(query, page);
  });
