import type { Environment } from '@stanza/contracts';

/** What a column has when an insert leaves it out: a value, or an SQL expression. */
export type ColumnDefault = string | number | boolean | { readonly sql: string };

/** A column of a table, and by `Value` what it holds in TypeScript. */
export interface Column<Value = unknown> {
  readonly type:
    | 'bigint'
    | 'boolean'
    | 'bytea'
    | 'integer'
    | 'json'
    | 'jsonb'
    | 'smallint'
    | 'text'
    | 'timestamptz'
    | 'uuid';
  /** Digits of a second. */
  readonly precision?: number;
  readonly array?: true;
  readonly nullable?: true;
  readonly default?: ColumnDefault;
  /** Carries the type of the values; there is never a value. */
  readonly value?: Value;
}

/** The columns of a table by name. */
export type Columns = Readonly<Record<string, Column>>;

/** A primary key; Postgres names the constraint unless a name is given. */
export interface PrimaryKey<Name extends string> {
  readonly name?: string;
  readonly columns: readonly Name[];
}

/** A unique constraint. */
export interface Unique<Name extends string> {
  readonly name: string;
  readonly columns: readonly Name[];
}

/** An index. */
export interface Index<Name extends string> extends Unique<Name> {
  readonly unique?: true;
  /** The condition of a partial index. */
  readonly where?: string;
  /**
   * False for an index of expressions or with included columns, which only the migration can say: the schema is not
   * compared with it.
   */
  readonly synchronize?: false;
}

/** A check constraint. Its text is the migration's; the schema test compares names. */
export interface Check {
  readonly name: string;
  readonly expression: string;
}

/** A foreign key to rows of the table `target`. */
export interface ForeignKey<Name extends string> {
  readonly name: string;
  readonly target: string;
  readonly columnNames: readonly Name[];
  readonly referencedColumnNames: readonly string[];
  readonly onDelete?: 'CASCADE' | 'SET NULL';
}

interface Constraints<Name extends string> {
  readonly primaryKey: PrimaryKey<Name>;
  readonly uniques?: readonly Unique<Name>[];
  readonly indices?: readonly Index<Name>[];
  readonly checks?: readonly Check[];
  readonly foreignKeys?: readonly ForeignKey<Name>[];
}

/** The description of a table, as plain data: its rows' type, its entity and column lists in SQL are made from it. */
export interface Table<C extends Columns = Columns> extends Constraints<string> {
  readonly name: string;
  readonly columns: C;
  /** Columns that a trigger or another version fills: no statement writes them, and no row that is read has them. */
  readonly filledColumns?: Columns;
}

type ValueOf<C> = C extends Column<infer Value> ? Value : never;
type ValuesOf<C> = { -readonly [Name in keyof C]: ValueOf<C[Name]> };

/** The row of a table. What is said of a column stands at the field, too. */
export type RowOf<T extends Table> = ValuesOf<T['columns']>;

/** Describes a table. */
export const table = <C extends Columns>(
  name: string,
  facts: Pick<Table<C>, 'columns' | 'filledColumns'> & Constraints<NoInfer<keyof C & string>>,
): Table<C> => ({ name, ...facts });

/**
 * The columns of a table for a statement, which names them all: a prepared `*` fails once a migration adds a column.
 * @param alias what the statement calls the table, where it reads several
 */
export const columnsOf = ({ columns }: Table, alias?: string): string =>
  Object.keys(columns)
    .map((name) => (alias === undefined ? name : `${alias}.${name}`))
    .join(', ');

/** An id. */
export const uuid = (): Column<string> => ({ type: 'uuid' });
/** A text of any length, or one of a few. */
export const text = <Value extends string = string>(): Column<Value> => ({ type: 'text' });
/** A whole number of 32 bits. */
export const integer = (): Column<number> => ({ type: 'integer' });
/** A whole number of 16 bits. */
export const smallint = (): Column<number> => ({ type: 'smallint' });
/** A whole number that JavaScript holds exactly. */
export const bigint = (): Column<number> => ({ type: 'bigint' });
/** True or false. */
export const boolean = <Value extends boolean = boolean>(): Column<Value> => ({ type: 'boolean' });
/** JSON as received, key order included. */
export const json = <Value>(): Column<Value> => ({ type: 'json' });
/** JSON that Postgres has taken apart. */
export const jsonb = <Value>(): Column<Value> => ({ type: 'jsonb' });
/** Bytes, such as an encrypted value. */
export const bytes = (): Column<Buffer> => ({ type: 'bytea' });
/** A moment, to the millisecond. */
export const timestamp = (): Column<Date> => ({ type: 'timestamptz', precision: 3 });
/** A moment, to the microsecond; a `Date` has its milliseconds. */
export const microseconds = (): Column<Date> => ({ type: 'timestamptz' });
/** A list of values. */
export const arrayOf = <Value>({ type }: Column<Value>): Column<Value[]> => ({ type, array: true });

/** A column that may be empty. */
export const nullable = <Value>({ value: _, ...column }: Column<Value>): Column<Value | null> => ({
  ...column,
  nullable: true,
});

/** A column with a default. */
export const withDefault = <Value>(column: Column<Value>, value: ColumnDefault): Column<Value> => ({
  ...column,
  default: value,
});

/** The time of the transaction, as a default. */
export const now = { sql: 'now()' } as const;

/** SQL: the place of the rows that a transaction writes. */
export const placeOfTransaction = 'commit_moment(pg_current_xact_id())';

/** The column with the place of a row in the order of transactions; null for a row of a version before. */
export const followed = {
  followed_at: withDefault(nullable(timestamp()), { sql: placeOfTransaction }),
};

/** The tenant columns. */
export const tenant = { organization_id: uuid(), environment: text<Environment>() };

type OfTenant<Name> = 'organization_id' | 'environment' | Name;

/** The columns of a key or index that begins with the tenant. */
export const ofTenant = <const Names extends readonly string[]>(
  ...columns: Names
): OfTenant<Names[number]>[] => ['organization_id', 'environment', ...columns];

/** A foreign key to a row of the same tenant. */
export const referenceTo = <Name extends string>(
  target: string,
  name: string,
  column: Name,
): ForeignKey<OfTenant<Name>> => ({
  name,
  target,
  columnNames: ofTenant(column),
  referencedColumnNames: ofTenant('id'),
});

/** A foreign key to the parent row; the row is deleted with its parent. */
export const partOf = <Name extends string>(
  target: string,
  name: string,
  column: Name,
): ForeignKey<OfTenant<Name>> => ({ ...referenceTo(target, name, column), onDelete: 'CASCADE' });

/** A check constraint. Its text is the migration's; the schema test compares names. */
export const check = (name: string, expression: string): Check => ({ name, expression });

/**
 * The text of a statement that reads rows of a tenant. The tenant is `$1` and `$2`.
 * @param more SQL: further conditions, the order, a limit
 */
export const tenantRead = (of: Table, more = ''): string =>
  `select ${columnsOf(of)}
   from ${of.name}
   where organization_id = $1
     and environment = $2
     ${more}`;
