import pg from 'pg';

/** Type numbers of `pg_type`. */
const int8 = 20;

/** Parses an int8 to a number; refuses one beyond the safe integers instead of rounding it. */
const parseInt8 = (value: string): number => {
  const parsed = Number(value);
  if (!Number.isSafeInteger(parsed)) throw new RangeError('an int8 is beyond the safe integers');
  return parsed;
};

/** Conversion of Postgres values to JavaScript; timestamptz is a Date already. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format),
};
