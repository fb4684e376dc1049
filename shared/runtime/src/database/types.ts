import pg from 'pg';

/** Type numbers of `pg_type`. */
const int8 = 20;

/** int8 becomes a number; one that a number can't hold exactly is refused rather than rounded. */
const parseInt8 = (value: string): number => {
  const parsed = Number(value);
  if (!Number.isSafeInteger(parsed)) throw new RangeError('an int8 is beyond the safe integers');
  return parsed;
};

/** How values from Postgres become JavaScript's; timestamptz is a Date already. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format),
};
