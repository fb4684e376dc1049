import { waitUntil } from '@stanza/local';
import pg from 'pg';
import type { PostgresHarm } from './fault.ts';

/** Ends what was begun. */
type End = () => Promise<void>;

/** More connections than Postgres has. */
const allConnections = 220;

const sayEarlyEnd = (error: Error): void =>
  console.error(`A fault of Postgres ended early: ${error.message}`);

/** A connection of the superuser; a restart of Postgres may break it, which ends what it does. */
const connect = async (url: string, onBreak = sayEarlyEnd): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', onBreak);
  await client.connect();
  return client;
};

const alter = async (url: string, statement: string): Promise<void> => {
  const client = await connect(url);
  try {
    await client.query(statement);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
};

/** Tries until it is done: nothing else takes the setting back. */
const alterInTheEnd = (url: string, statement: string): Promise<boolean> =>
  waitUntil(
    () =>
      alter(url, statement).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 60_000, everyMs: 500 },
  );

/** All transactions that begin from now on are read-only, as on a standby after a failover. */
const makeReadOnly = async (url: string): Promise<End> => {
  await alterInTheEnd(url, 'alter system set default_transaction_read_only = on');
  return async () => void (await alterInTheEnd(url, 'alter system reset default_transaction_read_only'));
};

/** Takes every connection that Postgres has left; those that are open go on. */
const takeConnections = async (url: string): Promise<End> => {
  let broken = 0;
  const sayOnce = (error: Error): void => {
    broken += 1;
    if (broken === 1) sayEarlyEnd(error);
  };
  const tries = await Promise.allSettled(Array.from({ length: allConnections }, () => connect(url, sayOnce)));
  const taken = tries.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  return async () => void (await Promise.allSettled(taken.map((client) => client.end())));
};

/** Locks the rows that every charge of an organization waits for. */
const lockAccounts = async (url: string): Promise<End> => {
  const client = await connect(url);
  await client.query('begin');
  await client.query('select from organization.credit_accounts for update');
  return () => client.end();
};

const faults: Record<PostgresHarm, (url: string) => Promise<End>> = {
  'read-only Postgres': makeReadOnly,
  'no free connections': takeConnections,
  'locked accounts': lockAccounts,
};

/** Begins a fault of Postgres; answers what ends it. One that meets Postgres while it is away does nothing. */
export const breakPostgres = async (url: string, kind: PostgresHarm): Promise<End> => {
  try {
    return await faults[kind](url);
  } catch (error) {
    console.error(`A fault of Postgres did not begin: ${String(error)}`);
    return async () => undefined;
  }
};
