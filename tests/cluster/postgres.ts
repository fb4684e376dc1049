import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '@stanza/local';
import { withClient } from '@stanza/local/database-client';
import { poolerConfig, poolerUsers } from '@stanza/local/machines/pgbouncer';
import { preparePostgres } from '@stanza/local/postgres/start';
import {
  freePorts,
  type PreparedPostgres,
  SupervisedProcess,
  startPostgres,
} from '@stanza/test-kit/database';
import { backUp, putBack } from '../kit/base-backup.ts';

/** A primary, its synchronous standby, and pgbouncer, whose address stays when the standby is promoted. */
export interface PostgresPair {
  primary: PreparedPostgres;
  standby: PreparedPostgres;
  /** Whichever of the two takes writes now. */
  readonly current: PreparedPostgres;
  pooler: SupervisedProcess;
  /** Address of the database at pgbouncer, as superuser. */
  url: string;
  /** Ends the primary for good and lets the standby take its place; once. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

/** The port of an address, in digits. */
export const portOf = (url: string): string => new URL(url).port;

const standbyOf = async (primary: PreparedPostgres, folder: string, password: string) => {
  const [port = 0] = await freePorts(1);
  const backup = await mkdtemp(join(folder, 'backup-'));
  await backUp(primary.url, backup);
  const data = join(folder, 'standby/postgres');
  await putBack(backup, data);
  await writeFile(join(data, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${portOf(primary.url)} user=postgres password=${password} application_name=s1`;
  await writeFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  const standby = await preparePostgres({
    folder: join(folder, 'standby'),
    logFile: join(folder, 'standby.log'),
    port,
    password,
  });
  await standby.process.start();
  return standby;
};

/** A commit is answered once the standby has it, so that a failover loses nothing (docs/postgres.md). */
const makeSynchronous = async (url: string): Promise<void> => {
  const isStreaming = () =>
    withClient(url, async (client) => {
      const { rowCount } = await client.query("select from pg_stat_replication where state = 'streaming'");
      return rowCount === 1;
    });
  if (!(await waitUntil(isStreaming, { timeoutMs: 60_000 }))) throw new Error('The standby does not stream.');
  await withClient(url, async (client) => {
    await client.query("alter system set synchronous_standby_names = 'ANY 1 (s1)'");
    await client.query('select pg_reload_conf()');
  });
};

/** Debian's 1.18 knows no prepared statements of transactions, so it pools sessions. */
const sessions = { mode: 'session', size: 60 } as const;

const nobody = { uid: 65_534, gid: 65_534 };

/** Starts both and pgbouncer, for users with these passwords. */
export const startPair = async (
  folder: string,
  password: string,
  users: Readonly<Record<string, string>>,
): Promise<PostgresPair> => {
  const opened = new AsyncDisposableStack();
  await mkdir(join(folder, 'primary'), { recursive: true });
  await mkdir(join(folder, 'standby'), { recursive: true });
  const primary = await startPostgres({
    folder: join(folder, 'primary'),
    logFile: join(folder, 'primary.log'),
    password,
  });
  opened.defer(() => primary.process.stop());
  const standby = await standbyOf(primary, folder, password);
  opened.defer(() => standby.process.stop());
  await makeSynchronous(primary.url);

  const [port = 0] = await freePorts(1);
  const own = await mkdtemp('/tmp/stanza-pooler-');
  opened.defer(() => rm(own, { recursive: true, force: true }));
  const configFile = join(own, 'pgbouncer.ini');
  const usersFile = join(own, 'users.txt');
  const configure = (postgres: string) =>
    writeFile(
      configFile,
      poolerConfig({
        listen: { host: '127.0.0.1', port },
        primary: { host: '127.0.0.1', port: postgres, database: 'stanza' },
        usersFile,
        pool: sessions,
        admins: ['postgres'],
      }),
    );
  await writeFile(usersFile, poolerUsers({ ...users, postgres: password }));
  await configure(portOf(primary.url));
  const url = primary.url.replace(`:${portOf(primary.url)}/`, `:${port}/`);
  const pooler = new SupervisedProcess({
    name: 'pgbouncer',
    command: '/usr/sbin/pgbouncer',
    args: [configFile],
    env: {},
    cwd: own,
    // It refuses to be root.
    ...(process.getuid?.() === 0 ? { account: nobody } : {}),
    logFile: join(folder, 'pgbouncer.log'),
    isReady: () => withClient(url, () => Promise.resolve(true)).catch(() => false),
    stopSignal: 'SIGINT',
    orphanSignal: 'SIGKILL',
    stopTimeoutMs: 5_000,
    readyTimeoutMs: 60_000,
  });
  await chmod(own, 0o755);
  await pooler.start();
  opened.defer(() => pooler.stop());
  let current = primary;
  return {
    primary,
    standby,
    get current() {
      return current;
    },
    pooler,
    url,
    failOver: async () => {
      // Fenced before the promotion: nothing may write to the old one any more.
      if (current === standby) return;
      current = standby;
      await primary.process.stop('SIGKILL');
      const promote = () =>
        withClient(standby.url, (client) => client.query('select pg_promote()')).then(
          () => true,
          () => false,
        );
      // It may be starting, or have no connection free.
      if (!(await waitUntil(promote, { timeoutMs: 60_000 })))
        throw new Error('The standby takes no promotion.');
      await configure(portOf(standby.url));
      pooler.kill('SIGHUP');
    },
    close: () => opened.disposeAsync(),
  };
};
