import pg from 'pg';
import { currentReach, type Reach, reachSetting, reachSettingName } from './reach.ts';

/**
 * Members of `pg` that its types omit: sending and answering a query, and the statements that a server has prepared.
 */
declare module 'pg' {
  interface Query {
    callback: QueryCallback | undefined;
    requiresPreparation(): boolean;
    prepare(connection: Connection): void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: Connection): void;
  }
  interface Connection {
    readonly parsedStatements: Readonly<Record<string, string>>;
  }
}

type QueryCallback = (err: Error | null, result: unknown) => void;

const setReach = { name: 'reach', text: `select set_config('${reachSettingName}', $1, true)` };

/**
 * A query that first sets its reach. Both are sent together and form one transaction where none is open: a pooler
 * cannot separate them, and the setting ends with them.
 */
class ReachQuery extends pg.Query {
  readonly #reach: string;
  #isReachSet = false;

  constructor(config: pg.QueryConfig, reach: string) {
    super(config);
    this.#reach = reach;
  }

  /** True without values as well: a plain text query would be sent without its reach. */
  override requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: pg.Connection): void {
    connection.bind({ statement: setReach.name, values: [this.#reach] }, true);
    connection.execute(null, true);
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isReachSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isReachSet) super.handleCommandComplete(message, connection);
    this.#isReachSet = true;
  }
}

/** A query with its reach. */
export interface ReachConfig extends pg.QueryConfig {
  reach: Reach;
}

/**
 * Adds the reach of the current work to a query. A query of a pool needs it before it is queued: it may start in the
 * context of the work that returns a connection.
 */
export const withinReach = (config: pg.QueryConfig): ReachConfig => ({ ...config, reach: currentReach() });

const knowsReach = (query: unknown): query is ReachConfig =>
  typeof query === 'object' && query !== null && 'reach' in query;

/** Statements that touch no rows; some must come first in their transaction. */
const transactionControl =
  /^\s*(?:begin|start|commit|end|rollback|abort|savepoint|release|set)\b[^;]*;?\s*$/i;

/** The query as `pg` takes it; undefined when it needs no reach. */
const configOf = (query: unknown, values: unknown): pg.QueryConfig | undefined => {
  if (typeof query === 'string') {
    const given = Array.isArray(values) ? values : [];
    // Work without a reach sees all rows anyway, and some statements of migrations must be sent alone.
    if (given.length === 0 && (currentReach() === 'all' || transactionControl.test(query))) return undefined;
    return { text: query, values: given };
  }
  if (typeof query !== 'object' || query === null || !('text' in query) || 'submit' in query)
    return undefined;
  const { text } = query;
  return typeof text === 'string' ? { ...query, text } : undefined;
};

/** `query` of every client, with its overloads. */
const plainQuery = pg.Client.prototype.query;

const isCallback = (value: unknown): value is QueryCallback => typeof value === 'function';

function queryWithinReach(this: pg.Client, ...args: unknown[]): unknown {
  const [query, values] = args;
  const config = configOf(query, values);
  if (config === undefined) return Reflect.apply(plainQuery, this, args);
  const bound = new ReachQuery(config, reachSetting(knowsReach(query) ? query.reach : currentReach()));
  const send = (): unknown => {
    if (setReach.name in this.connection.parsedStatements) return Reflect.apply(plainQuery, this, [bound]);
    // First on this connection. If it fails here, the query itself reports that the server has not prepared it.
    const first = { ...setReach, values: [''] };
    return Reflect.apply(plainQuery, this, [first, () => Reflect.apply(plainQuery, this, [bound])]);
  };
  const callback = args.find(isCallback);
  if (callback) {
    bound.callback = callback;
    return send();
  }
  return new Promise((resolve, reject) => {
    bound.callback = (err, result) => (err ? reject(err) : resolve(result));
    send();
  });
}

/** A client whose queries touch only the rows of the current reach; see `tenantWallSql`. */
export class ReachClient extends pg.Client {
  static {
    Object.defineProperty(ReachClient.prototype, 'query', { value: queryWithinReach });
  }
}
