/** A named prepared query; Postgres parses and plans it once per connection. */
export interface Statement<Row extends object> {
  readonly name: string;
  readonly text: string;
  /** The job that looks for rows like those that this makes due, see `BackgroundJobs.whenDue`. */
  readonly wakes?: string;
  /** Where given, the job is woken for such a row alone. */
  wakesFor?(row: Row): boolean;
  /** Runs before it, in one transaction and one message. */
  readonly first?: First;
  /** Carries the type of the rows; has no value. */
  readonly row?: Row;
}

/** What runs before a statement: that one sees all that was committed while this waited for a lock. */
export interface First {
  readonly name: string;
  readonly text: string;
  /** Which values of the statement it takes: 1 is the first. */
  readonly takes: readonly number[];
}

/** The job that a statement wakes, by what it has answered. */
export const wokenBy = <Row extends object>(
  { wakes, wakesFor }: Statement<Row>,
  rows: readonly Row[],
): string | undefined => (wakesFor === undefined || rows.some((row) => wakesFor(row)) ? wakes : undefined);

/** Postgres cuts longer identifiers, and two statements would then share a name. */
const longestName = 63;

/**
 * Declares a statement: one constant next to the function that runs it. A name belongs to one text only.
 * @param name kebab-case, also the label of its duration in the metrics
 * @param options `wakes`: the job that looks for what the statement makes due, once it is committed; `wakesFor`: only
 * where a row of the answer says that there is something; `first`: what locks before the statement looks
 */
export const statement = <Row extends object>(
  name: string,
  text: string,
  options: Pick<Statement<Row>, 'wakes' | 'wakesFor' | 'first'> = {},
): Statement<Row> => {
  if (name.length > longestName) throw new TypeError(`the statement name ${name} is too long`);
  return { name, text, ...options };
};
