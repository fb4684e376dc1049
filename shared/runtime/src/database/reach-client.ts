import pg from 'pg';
import { readOnly } from './faults.ts';
import { currentReach, type Reach, reachSetting, reachSettingName } from './reach.ts';
import type { First } from './statement.ts';

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
    on(event: 'errorMessage', listener: (error: { code: string | undefined }) => void): this;
  }
}

type QueryCallback = (err: Error | null, result: unknown) => void;

const setReach = { name: 'reach', text: `select set_config('${reachSettingName}', $1, true)` };

/** What is sent before a query, by the name under which the server has prepared it. */
interface Before {
  statement: string;
  values: string[];
}

/**
 * A query that first sets its reach, and may take a lock. All are sent together and form one transaction where none is
 * open: a pooler cannot separate them, and the setting ends with them. Each sees what was committed before it began.
 */
class ReachQuery extends pg.Query {
  readonly #before: readonly Before[];
  #completed = 0;

  constructor(config: pg.QueryConfig, before: readonly Before[]) {
    super(config);
    this.#before = before;
  }

  /** True without values as well: a plain text query would be sent without its reach. */
  override requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: pg.Connection): void {
    for (const { statement, values } of this.#before) {
      connection.bind({ statement, values }, true);
      connection.execute(null, true);
    }
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#completed === this.#before.length) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#completed === this.#before.length) super.handleCommandComplete(message, connection);
    else this.#completed += 1;
  }
}

/** A query with its reach. */
export interface ReachConfig extends pg.QueryConfig {
  reach: Reach;
  first?: First | undefined;
}

/**
 * Adds the reach of the current work to a query. A query of a pool needs it before it is queued: it may start in the
 * context of the work that returns a connection.
 */
export const withinReach = (config: Omit<ReachConfig, 'reach'>): ReachConfig => ({
  ...config,
  reach: currentReach(),
});

const knowsReach = (query: unknown): query is ReachConfig =>
  typeof query === 'object' && query !== null && 'reach' in query;

/** Statements that touch no rows; some must come first in their transaction. */
const transactionControl =
  /^\s*(?:begin|start|commit|end|rollback|abort|savepoint|release|set)\b[^;]*;?\s*$/i;

/** The query as `pg` takes it; undefined when it needs no reach. */
const configOf = (query: unknown, values: unknown): Omit<ReachConfig, 'reach'> | undefined => {
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

/** What a query is sent behind, with statements that the server must have prepared. */
const before = (
  { first, values }: Omit<ReachConfig, 'reach'>,
  reach: Reach,
): (Before & { text: string })[] => {
  const setting = { statement: setReach.name, text: setReach.text, values: [reachSetting(reach)] };
  if (!first) return [setting];
  const { name, text, takes } = first;
  return [setting, { statement: name, text, values: takes.map((at) => String(values?.[at - 1])) }];
};

function queryWithinReach(this: pg.Client, ...args: unknown[]): unknown {
  const [query, values] = args;
  const config = configOf(query, values);
  if (config === undefined) return Reflect.apply(plainQuery, this, args);
  const sentBefore = before(config, knowsReach(query) ? query.reach : currentReach());
  const bound = new ReachQuery(config, sentBefore);
  const send = (callback: QueryCallback): void => {
    bound.callback = callback;
    const missing = sentBefore.find(({ statement }) => !(statement in this.connection.parsedStatements));
    if (!missing) {
      Reflect.apply(plainQuery, this, [bound]);
      return;
    }
    // First on this connection, without values: it touches nothing. Its failure is that of the query, which could only
    // say of an open transaction that it is aborted.
    const { statement: name, text } = missing;
    const nothing = missing.values.map(() => null);
    const prepared: QueryCallback = (err) => (err ? callback(err, undefined) : send(callback));
    Reflect.apply(plainQuery, this, [{ name, text, values: nothing }, prepared]);
  };
  const callback = args.find(isCallback);
  if (callback) return send(callback);
  return new Promise((resolve, reject) => {
    send((err, result) => (err ? reject(err) : resolve(result)));
  });
}

/** A client whose queries touch only the rows of the current reach; see `tenantWallSql`. */
export class ReachClient extends pg.Client {
  static {
    Object.defineProperty(ReachClient.prototype, 'query', { value: queryWithinReach });
  }

  #isReadOnly = false;

  constructor(...options: ConstructorParameters<typeof pg.Client>) {
    super(...options);
    this.connection.on('errorMessage', ({ code }) => {
      this.#isReadOnly ||= code === readOnly;
    });
    // The pool has let go of a client before its next user listens: an error in between, as of a server that ends the
    // session behind its answer, would end the process. The user meets it with its first query.
    this.on('error', () => undefined);
  }

  /**
   * A session that began while the database took reads alone refuses writes to its end, even once others may write. Its
   * connection does not go back to the pool.
   */
  static endReadOnly(pool: pg.Pool): void {
    pool.on('release', (_, client: pg.PoolClient) => {
      if (client instanceof ReachClient && client.#isReadOnly) void client.end();
    });
  }
}
