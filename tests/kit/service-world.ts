import {
  type InputOf,
  type JobOperation,
  jobSubjectOf,
  type Operation,
  type Principal,
  type ReplyOf,
  recordEvent,
  type ServiceName,
  schemaOf,
  scopesOfRole,
} from '@stanza/contracts';
import { runInProcess } from '@stanza/local/in-process';
import {
  type CallContext,
  type Clock,
  createDataSource,
  createOutbox,
  type Database,
  type DatabaseOptions,
  type Handler,
  newContext,
  newId,
  noTracing,
  type Outbox,
  type Queryable,
  silentLogger,
  statement,
  type Transaction,
} from '@stanza/runtime';
import type { QueryRunner } from 'typeorm';
import { testDatabase } from './database.ts';

/** A clock that stands still until a test advances it. */
export class SteppedClock implements Clock {
  #now = Date.parse('2026-11-21T08:00:00.000Z');

  now(): Date {
    return new Date(this.#now);
  }

  monotonic(): number {
    return this.#now;
  }

  /** Advances the clock by this many milliseconds. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Advances the clock by this many seconds. */
  passSeconds(seconds: number): void {
    this.pass(seconds * 1_000);
  }
}

/** Runs a test's own statements. */
export type Rows = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Runs a test's own statements on a database, each under a name of its own. */
export const rowsIn = (database: Pick<Database, 'query'>): Rows => {
  let texts = 0;
  return <Row extends object>(text: string, values: readonly unknown[] = []) => {
    texts += 1;
    return database.query(statement<Row>(`test-${texts}`, text), values);
  };
};

/** The events that wait to be recorded for an organization, in their order. */
export const waitingEvents = async (
  { rows }: { rows: Rows },
  organizationId: string,
): Promise<InputOf<typeof recordEvent>[]> => {
  const found = await rows<{ payload: unknown }>(
    `select payload
     from outbox
     where subject = $1 and payload ->> 'organization_id' = $2
     order by id`,
    [jobSubjectOf(recordEvent), organizationId],
  );
  return found.map(({ payload }) => recordEvent.input.parse(payload));
};

/** A database, and how many rows each of the statements that went through it answered. */
export interface CountedRows {
  counted: Queryable;
  rounds: number[];
}

/** Counts the rows that each statement answers. */
export const countingRows = (database: Queryable): CountedRows => {
  const rounds: number[] = [];
  const counted: Queryable = {
    orm: database.orm,
    query: async (asked, values) => {
      const rows = await database.query(asked, values);
      rounds.push(rows.length);
      return rows;
    },
  };
  return { counted, rounds };
};

/**
 * By how much work raises the counters that a query of `pg_stat_xact_user_tables` answers. The view also shows what the
 * session counted before the transaction and has not passed on yet, which takes up to a second.
 */
export const countedDuring = async (
  { orm }: Pick<Transaction, 'orm'>,
  counters: string,
  values: readonly unknown[],
  work: () => Promise<unknown>,
): Promise<Record<string, number>> => {
  const read = async () => {
    const [row] = await orm.query<Record<string, unknown>[]>(counters, [...values]);
    return Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)] as const);
  };
  const before = new Map(await read());
  await work();
  return Object.fromEntries((await read()).map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
};

/**
 * Counts the rows of tables that work reads in a transaction of its own: those that Postgres fetches, by whatever way,
 * and not those alone that it answers.
 */
export const rowsReadBy = (
  database: Pick<Database, 'transaction'>,
  tables: string | readonly string[],
  work: (tx: Transaction) => Promise<unknown>,
): Promise<number> =>
  database.transaction(async (tx) => {
    const counters = `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read
      from pg_stat_xact_user_tables
      where relname = any ($1)`;
    const { read } = await countedDuring(tx, counters, [[tables].flat()], () => work(tx));
    return read ?? 0;
  });

/**
 * Answers how Postgres reads what a statement asks for. Sequential scans are made expensive: any that remain have no
 * usable index.
 */
export const planOf = (database: Pick<Database, 'transaction'>, sql: string): Promise<string> =>
  database.transaction(async ({ orm }) => {
    await orm.query('set local enable_seqscan = off');
    const lines = await orm.query<{ 'QUERY PLAN': string }[]>(`explain ${sql}`);
    return lines.map((it) => it['QUERY PLAN']).join('\n');
  });

/** Does what a service's role may not, such as a migration, as the owner of a test's database. */
export const asOwner = async <T>(
  service: ServiceName,
  url: string,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> => {
  const source = createDataSource({
    url,
    schema: schemaOf(service),
    entities: [],
    migrations: [],
    pool: 1,
    session: {},
    applicationName: 'test',
    log: silentLogger(),
  });
  await source.initialize();
  try {
    return await work(source.createQueryRunner());
  } finally {
    await source.destroy();
  }
};

/** A principal of an organization of its own, with the rights of an owner. */
export const somebody = (options: Partial<Principal> = {}): Principal => ({
  organization_id: newId(),
  environment: 'production',
  actor: { type: 'api_key', id: newId(), user_id: newId() },
  role: 'owner',
  scopes: [...scopesOfRole('owner')],
  ...options,
});

/** The tenants that must not see a tenant's rows: another organization, and the organization's other environment. */
export const strangersTo = (principal: Principal): Principal[] => [
  somebody(),
  { ...principal, environment: principal.environment === 'production' ? 'preview' : 'production' },
];

/** An input in which what may be undefined may be left out, as it is over the wire. */
type Sent<I> = { [K in keyof I as undefined extends I[K] ? never : K]: I[K] } & {
  [K in keyof I as undefined extends I[K] ? K : never]?: I[K];
};

/** Runs an operation as received over the wire: the reply fits its schema. */
export const ask = <O extends Operation>(
  handler: Handler<O>,
  input: Sent<InputOf<O>>,
  principal?: Principal,
  context?: CallContext,
): Promise<ReplyOf<O>> => askLoosely(handler, input, principal, context);

/** {@link ask} with an input that the operation's defaults complete. */
export const askLoosely = <O extends Operation>(
  handler: Handler<O>,
  input: unknown,
  principal?: Principal,
  context: CallContext = newContext({ deadlineMs: 15_000, ...(principal && { principal }) }),
): Promise<ReplyOf<O>> => runInProcess(handler, input, context);

/** Calls a job as the outbox of another service does, with the id of its row. */
export const runJob = async <O extends JobOperation>(
  handler: Handler<O>,
  input: InputOf<O>,
  rowId: string = newId(),
): Promise<void> => {
  await ask(handler, input, undefined, { ...newContext({ deadlineMs: 15_000 }), operationId: rowId });
};

/** An outbox whose rows stay where they are. */
export const keptOutbox = (service: ServiceName): Outbox =>
  createOutbox({ service, tracing: noTracing, wake: () => undefined, run: () => undefined });

/** A database whose clock stands still until a test advances it. */
export interface SteppedDatabase {
  database: Database;
  clock: SteppedClock;
  rows: Rows;
  close: () => Promise<void>;
}

/** Makes a {@link SteppedDatabase} with the schema of a service. */
export const openSteppedDatabase = async (
  service: ServiceName,
  options: Pick<DatabaseOptions, 'entities'>,
): Promise<SteppedDatabase> => {
  const clock = new SteppedClock();
  const { database, drop } = await testDatabase(service, { ...options, clock });
  return { database, clock, rows: rowsIn(database), close: drop };
};

/** How a message of a template looks that says nothing about its appearance. */
export const plainAppearance = {
  user_name: null,
  icon_emoji: null,
  fallback_text: null,
  locale: null,
  timezone: null,
  strict: false,
};

/** A database in which something ends each time once a request has read outside of a transaction. */
export const endingAfterReads = (database: Database, end: () => Promise<unknown>): Database => {
  const withEnd = async <T>(read: Promise<T>): Promise<T> => {
    const found = await read;
    await end();
    return found;
  };
  const orm = new Proxy(database.orm, {
    get: (target, name) =>
      name === 'findOneBy'
        ? (...asked: Parameters<typeof target.findOneBy>) => withEnd(target.findOneBy(...asked))
        : Reflect.get(target, name, target),
  });
  return {
    orm,
    query: (...asked) => withEnd(database.query(...asked)),
    transaction: (...asked) => database.transaction(...asked),
    close: () => database.close(),
  };
};
