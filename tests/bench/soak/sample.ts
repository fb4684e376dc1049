import { readFileSync } from 'node:fs';
import type { Stack } from '@stanza/local';
import type pg from 'pg';
import { usageOf } from '../processes.ts';
import { forgottenTables } from './aged-rows.ts';

/** What the stack held at one moment; all of it should stay as it is under a steady load, but for disk. */
export interface Sample {
  /** Since the load began. */
  minutes: number;
  /** Requests that were answered until then. */
  requests: number;
  /** Bytes of memory by process. */
  memory: Record<string, number>;
  /** Bytes of the heap by service: the least that was seen in the minute, which is what garbage collection left. */
  heap: Record<string, number>;
  /** Open file descriptors by process, sockets among them. */
  files: Record<string, number>;
  /** Connections to the database. */
  connections: number;
  /** Statements with a name, by service: no connection prepares more than these. */
  statements: Record<string, number>;
  /** Lines of `/metrics` by service. */
  series: Record<string, number>;
  /** Bytes of the database. */
  database: number;
  /** Bytes of the largest tables, indexes included, partitions counted as their table. */
  tables: Record<string, number>;
  /** Bytes of the tables whose rows are forgotten in time, indexes included. */
  forgotten: Record<string, number>;
  /** The 99th percentile of the delay of the event loop, in milliseconds, by service. */
  lag: Record<string, number>;
}

const largestTables = 6;

/** Memory that belongs to a process and its children alone, so that shared buffers are not counted by each. */
const privateMemory = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const found = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return sum + Number(found?.[1] ?? 0) * 1_024;
  }, 0);

const tablesOf = async (database: pg.Pool): Promise<Record<string, number>> => {
  const { rows } = await database.query<{ name: string; bytes: string }>(
    `select nspname || '.' || regexp_replace(relname, '_[0-9]{8}$|_p[0-9_]+$', '') as name,
            sum(pg_total_relation_size(pg_class.oid)) as bytes
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')
     group by 1 order by 2 desc limit $1`,
    [largestTables],
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
};

const forgottenOf = async (database: pg.Pool): Promise<Record<string, number>> => {
  const { rows } = await database.query<{ name: string; bytes: string }>(
    'select name, pg_total_relation_size(name::regclass) as bytes from unnest($1::text[]) as name',
    [forgottenTables],
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
};

const oneNumber = async (database: pg.Pool, text: string): Promise<number> => {
  const { rows } = await database.query<{ value: string }>(text);
  return Number(rows[0]?.value);
};

const metricOn = (page: string, name: string): number =>
  Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(page)?.[1] ?? 0);

/** The metrics of each process. */
const pagesOf = async ({ info }: Stack): Promise<[string, string][]> =>
  Promise.all(
    Object.entries(info.metrics).map(
      async ([name, url]): Promise<[string, string]> => [name, await (await fetch(url)).text()],
    ),
  );

const fromPages = (pages: [string, string][], read: (page: string) => number): Record<string, number> =>
  Object.fromEntries(pages.map(([name, page]) => [name, read(page)]));

/** Looks at a stack now and then, and takes samples of it. */
export class Sampler {
  readonly #stack: Stack;
  readonly #database: pg.Pool;
  #heap: Record<string, number> = {};

  constructor(stack: Stack, database: pg.Pool) {
    this.#stack = stack;
    this.#database = database;
  }

  /** Notes how large the heaps are. */
  async glance(): Promise<void> {
    for (const [name, page] of await pagesOf(this.#stack)) {
      const used = metricOn(page, 'nodejs_heap_size_used_bytes');
      this.#heap[name] = Math.min(this.#heap[name] ?? used, used);
    }
  }

  /** Takes a sample, and begins the next minute. */
  async take(minutes: number, requests: number): Promise<Sample> {
    await this.glance();
    const heap = this.#heap;
    this.#heap = {};
    const pages = await pagesOf(this.#stack);
    const { pids } = this.#stack.info;
    const usage = [...usageOf(pids)];
    const backends = await this.#database.query<{ pid: number }>('select pid from pg_stat_activity');
    const memory = Object.fromEntries(usage.map(([name, { rss }]) => [name, rss]));
    return {
      minutes,
      requests,
      heap,
      memory: { ...memory, postgres: privateMemory(backends.rows.map((it) => it.pid)) },
      files: Object.fromEntries(usage.map(([name, { files }]) => [name, files])),
      connections: backends.rows.length,
      statements: fromPages(
        pages,
        (page) => page.split('stanza_database_statement_seconds_count{').length - 1,
      ),
      series: fromPages(pages, (page) => page.split('\n').filter((line) => /^[a-z]/.test(line)).length),
      lag: fromPages(pages, (page) => metricOn(page, 'nodejs_eventloop_lag_p99_seconds') * 1_000),
      database: await oneNumber(this.#database, 'select pg_database_size(current_database()) as value'),
      tables: await tablesOf(this.#database),
      forgotten: await forgottenOf(this.#database),
    };
  }
}
