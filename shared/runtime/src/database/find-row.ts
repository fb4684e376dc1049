import type { Queryable } from './database.ts';
import type { Statement } from './statement.ts';

/** The first row that a statement answers; undefined where it answers none. */
export const findRow = async <Row extends object>(
  db: Pick<Queryable, 'query'>,
  text: Statement<Row>,
  values?: readonly unknown[],
): Promise<Row | undefined> => {
  const [row] = await db.query(text, values);
  return row;
};
