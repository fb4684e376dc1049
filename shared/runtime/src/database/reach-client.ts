import pg from 'pg';
import { currentReach, type Reach, reachSetting, reachSettingName } from './reach.ts';

/** What `pg` has and its types leave out: how a query is sent and answered, and which statements a server knows. */
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
 * A query that first says whose rows it may touch. Both go to the server at once and are one transaction there where
 * none is open: a pooler cannot part them, and the setting ends with them.
 */
class ReachQuery extends pg.Query {
  readonly #reach: string;
  #isReachSet = false;

  constructor(config: pg.QueryConfig, reach: string) {
    super(config);
    this.#reach = reach;
  }

  /** A query without values as well: sent as a plain text it would go without its reach. */
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

/** A query that knows whose rows it may touch. */
export interface ReachConfig extends pg.QueryConfig {
  reach: Reach;
}

/**
 * Gives a query the reach of the current work. A query of a pool needs it before it is handed over: it may begin in
 * the context of the work that gives a connection back.
 */
export const withinReach = (config: pg.QueryConfig): ReachConfig => ({ ...config, reach: currentReach() });

const knowsReach = (query: unknown): query is ReachConfig =>
  typeof query === 'object' && query !== null && 'reach' in query;

/** Touches no rows, and some of it must be the first of its transaction. */
const transactionControl =
  /^\s*(?:begin|start|commit|end|rollback|abort|savepoint|release|set)\b[^;]*;?\s*$/i;

/** The query as `pg` takes it; nothing for one that needs no reach. */
const configOf = (query: unknown, values: unknown): pg.QueryConfig | undefined => {
  if (typeof query === 'string') {
    const given = Array.isArray(values) ? values : [];
    // Work without a reach sees all rows anyway, and migrations have texts that only go by themselves.
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
    // First on this connection. Failing here, the query itself tells its caller that the server does not know it.
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

/** A client whose queries touch the rows of the current reach alone; see `tenantWallSql`. */
export class ReachClient extends pg.Client {
  static {
    Object.defineProperty(ReachClient.prototype, 'query', { value: queryWithinReach });
  }
}
