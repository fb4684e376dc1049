/** A named prepared query; Postgres parses and plans it once a connection. */
export interface Statement<Row extends object> {
  readonly name: string;
  readonly text: string;
  /** Carries the type of the rows; there is never a value. */
  readonly row?: Row;
}

/** Postgres cuts longer identifiers, and two statements would then share a name. */
const longestName = 63;

/**
 * Declares a statement. One constant a statement, beside the function that runs it: the name must be used for one text
 * only.
 * @param name kebab-case, also the label of its duration in the metrics
 */
export const statement = <Row extends object>(name: string, text: string): Statement<Row> => {
  if (name.length > longestName) throw new TypeError(`the statement name ${name} is too long`);
  return { name, text };
};
