/** A named prepared query; Postgres parses and plans it once per connection. */
export interface Statement<Row extends object> {
  readonly name: string;
  readonly text: string;
  /** The job that looks for rows like those that this makes due, see `BackgroundJobs.whenDue`. */
  readonly wakes?: string;
  /** Carries the type of the rows; has no value. */
  readonly row?: Row;
}

/** Postgres cuts longer identifiers, and two statements would then share a name. */
const longestName = 63;

/**
 * Declares a statement: one constant beside the function that runs it. A name belongs to one text only.
 * @param name kebab-case, also the label of its duration in the metrics
 * @param options `wakes`: the job that looks for what the statement makes due, once it is committed
 */
export const statement = <Row extends object>(
  name: string,
  text: string,
  options: Pick<Statement<Row>, 'wakes'> = {},
): Statement<Row> => {
  if (name.length > longestName) throw new TypeError(`the statement name ${name} is too long`);
  return { name, text, ...options };
};
