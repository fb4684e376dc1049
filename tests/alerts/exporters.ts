import { once } from 'node:events';
import { createServer } from 'node:http';
import pg from 'pg';
import { z } from 'zod';
import type { Target } from './prometheus.ts';

/** Series that no process of a test has, as lines of the text format without their values. */
export type FedSeries = Map<string, number>;

/** What this machine's tests have in place of exporters. */
export interface Exporters {
  targets: readonly Target[];
  /** Told as they are. */
  fed: FedSeries;
  close(): Promise<void>;
}

/** What postgres_exporter 0.15 and later tell; its own statement for the lag. */
const read = `
  select pg_is_in_recovery() as is_replica,
    (case when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
      else greatest(0, extract(epoch from now() - pg_last_xact_replay_timestamp())) end)::float8 as lag,
    (select count(*)::int from pg_stat_replication) as standbys,
    (select archived_count::int from pg_stat_archiver) as archived,
    (select failed_count::int from pg_stat_archiver) as failed`;
const seen = z.object({
  is_replica: z.boolean(),
  lag: z.number().nullable(),
  standbys: z.int(),
  archived: z.int(),
  failed: z.int(),
});

const pageOfPostgres = async (server: pg.Pool): Promise<string> => {
  const [row] = await server.query(read).then(
    ({ rows }) => rows,
    () => [],
  );
  // A server that takes no connections is what the page is about.
  if (row === undefined) return 'pg_up 0\n';
  const { is_replica, lag, standbys, archived, failed } = seen.parse(row);
  const followers = Array.from(
    { length: standbys },
    (_, index) => `pg_stat_replication_pg_wal_lsn_diff{client_addr="127.0.0.1",slot_name="s${index}"} 0`,
  );
  return [
    'pg_up 1',
    `pg_replication_lag_seconds ${lag ?? 0}`,
    `pg_replication_is_replica ${is_replica ? 1 : 0}`,
    `pg_stat_archiver_archived_count ${archived}`,
    `pg_stat_archiver_failed_count ${failed}`,
    ...followers,
    '',
  ].join('\n');
};

/** Starts the exporters of these servers, and one for what is fed. */
export const startExporters = async (servers: Readonly<Record<string, string>>): Promise<Exporters> => {
  const fed: FedSeries = new Map();
  const pools = Object.entries(servers).map(([name, connectionString]) => {
    const pool = new pg.Pool({
      connectionString,
      max: 1,
      connectionTimeoutMillis: 900,
      idleTimeoutMillis: 0,
    });
    pool.on('error', () => undefined);
    return [name, pool] as const;
  });
  const pageOf = async (path: string): Promise<string> => {
    const pool = pools.find(([name]) => path === `/${name}`)?.[1];
    if (pool !== undefined) return pageOfPostgres(pool);
    return [...fed].map(([series, value]) => `${series} ${value}\n`).join('');
  };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    pageOf(request.url ?? '').then(
      (page) => response.end(page),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const target = (job: string, instance: string): Target => ({
    job,
    instance,
    url: `http://127.0.0.1:${port}/${instance}`,
  });
  return {
    fed,
    targets: [...Object.keys(servers).map((name) => target('postgres', name)), target('fed', 'fed')],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await Promise.all(pools.map(([, pool]) => pool.end()));
    },
  };
};
