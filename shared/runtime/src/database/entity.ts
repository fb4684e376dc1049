import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { Column, ColumnDefault, Columns, RowOf, Table } from './table.ts';

const defaultOf = (value: ColumnDefault) => (typeof value === 'object' ? () => value.sql : value);

const optionsOf = (
  { primaryKey }: Table,
  name: string,
  { value: _, default: value, ...column }: Column,
): EntitySchemaColumnOptions => ({
  ...column,
  ...(value !== undefined && { default: defaultOf(value) }),
  ...(primaryKey.columns.includes(name) && {
    primary: true,
    ...(primaryKey.name !== undefined && { primaryKeyConstraintName: primaryKey.name }),
  }),
});

const eachOf = <C extends { readonly [Name in keyof C]: Column }>(
  columns: C,
  make: (name: string, column: Column) => EntitySchemaColumnOptions,
): { [Name in keyof C]?: EntitySchemaColumnOptions } => {
  const made: { [Name in keyof C]?: EntitySchemaColumnOptions } = {};
  for (const name in columns) made[name] = make(name, columns[name]);
  return made;
};

/** A column that a trigger fills is a part of the schema alone. */
const filled = (table: Table): Record<string, EntitySchemaColumnOptions> =>
  Object.fromEntries(
    Object.entries(table.filledColumns ?? {}).map(([name, column]) => [
      name,
      { ...optionsOf(table, name, column), select: false, insert: false, update: false },
    ]),
  );

/** Makes what TypeORM knows of a table from its description. */
export const entityOf = <C extends Columns>(table: Table<C>): EntitySchema<RowOf<Table<C>>> =>
  new EntitySchema<RowOf<Table<C>>>({
    name: table.name,
    columns: { ...eachOf(table.columns, (name, column) => optionsOf(table, name, column)), ...filled(table) },
    uniques: table.uniques?.map((it) => ({ ...it, columns: [...it.columns] })) ?? [],
    indices: table.indices?.map((it) => ({ ...it, columns: [...it.columns] })) ?? [],
    checks: [...(table.checks ?? [])],
    foreignKeys:
      table.foreignKeys?.map((it) => ({
        ...it,
        columnNames: [...it.columnNames],
        referencedColumnNames: [...it.referencedColumnNames],
      })) ?? [],
  });
