import type { Around } from './around.ts';

/** Mends what a cause has broken. */
export type Mend = () => unknown;

/** Something that breaks, and the alerts that are named for it. */
export interface Cause {
  /** All of them fire. */
  alerts: readonly string[];
  /** Pages that may fire besides, since this breaks what they are about too. */
  consequences?: readonly string[];
  /** Breaks it. */
  begin(around: Around): Promise<Mend> | Mend;
}

/** Causes that are tried together. */
export type Group = readonly Cause[];

/** Inserts a copy of some row of a table, with other values. */
export const copyRow = ({ sql }: Around, table: string, where: string, changed: object) =>
  sql(
    `insert into ${table} select (jsonb_populate_record(kept, $1::jsonb)).* from ${table} as kept where ${where} limit 1`,
    [JSON.stringify(changed)],
  );
