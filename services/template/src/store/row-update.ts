import { statement, type Tenant, type Transaction } from '@stanza/runtime';

/** Columns that a row's update writes, and which of them hold JSON. */
export interface UpdatedColumns<Row> {
  columns: readonly (keyof Row & string)[];
  json: readonly (keyof Row & string)[];
}

/**
 * Declares the write of a locked row's new values. TypeORM has no type for a write of arbitrary JSON.
 * @param name of its statement
 */
export const rowUpdate = <Row extends { id: string }>(
  name: string,
  table: string,
  { columns, json }: UpdatedColumns<Row>,
) => {
  const set = columns.map((column, index) => `${column} = $${index + 4}`).join(', ');
  const update = statement<Record<string, never>>(
    name,
    `update ${table} set ${set} where organization_id = $1 and environment = $2 and id = $3`,
  );
  const written = (row: Row, column: keyof Row & string): unknown =>
    json.includes(column) && row[column] !== null ? JSON.stringify(row[column]) : row[column];
  return async (tenant: Tenant, tx: Transaction, row: Row): Promise<void> => {
    const values = columns.map((column) => written(row, column));
    await tx.query(update, [tenant.organizationId, tenant.environment, row.id, ...values]);
  };
};
