import type { EntitySchemaColumnOptions } from 'typeorm';

/** An id. */
export const uuid = { type: 'uuid' } as const satisfies EntitySchemaColumnOptions;
/** A text of any length. */
export const text = { type: 'text' } as const satisfies EntitySchemaColumnOptions;
/** A whole number. */
export const integer = { type: 'integer' } as const satisfies EntitySchemaColumnOptions;
/** True or false. */
export const boolean = { type: 'boolean' } as const satisfies EntitySchemaColumnOptions;
/** JSON as it came, key order included. */
export const json = { type: 'json' } as const satisfies EntitySchemaColumnOptions;
/** Bytes, such as what is sealed. */
export const bytes = { type: 'bytea' } as const satisfies EntitySchemaColumnOptions;
/** A moment, to the millisecond. */
export const timestamp = { type: 'timestamptz', precision: 3 } as const satisfies EntitySchemaColumnOptions;
/** A column that may be empty. */
export const nullable = { nullable: true } as const;

/** A column of a primary key whose constraint has a name. */
export const key = <T extends EntitySchemaColumnOptions>(column: T, primaryKeyConstraintName: string) => ({
  ...column,
  primary: true,
  primaryKeyConstraintName,
});

/** Whose a row is, as the beginning of a primary key whose constraint has a name. */
export const tenantKey = (name: string) => ({
  organization_id: key(uuid, name),
  environment: key(text, name),
});

const primary = { primary: true } as const;
/** The primary key of every table: whose a row is, and its id. */
export const tenant = {
  organization_id: { ...uuid, ...primary },
  environment: { ...text, ...primary },
  id: { ...uuid, ...primary },
} as const;

/** The columns of a key or index that begins with whose a row is. */
export const ofTenant = (...columns: string[]): string[] => ['organization_id', 'environment', ...columns];

/** A foreign key to a row of the same tenant. */
export const referenceTo = (target: string, name: string, column: string) => ({
  name,
  target,
  columnNames: ofTenant(column),
  referencedColumnNames: ofTenant('id'),
});

/** A foreign key to what a row is a part of, and ends with. */
export const partOf = (target: string, name: string, column: string) => ({
  ...referenceTo(target, name, column),
  onDelete: 'CASCADE' as const,
});

/** A condition on a row. The text is the migration's; the ORM compares names. */
export const check = (name: string, expression: string) => ({ name, expression });
