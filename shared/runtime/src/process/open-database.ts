import { setTimeout as pause } from 'node:timers/promises';
import { type ServiceName, schemaOf } from '@stanza/contracts';
import { connectDatabase, type Database, type DatabaseOptions } from '../database/database.ts';

/** Milliseconds for which a process waits at its start for NATS and for Postgres. */
export const patienceMs = 60_000;
const retryMs = 500;

const connectPatiently = async (options: DatabaseOptions): Promise<Database> => {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await connectDatabase(options);
    } catch (err) {
      if (performance.now() >= giveUpAt) throw err;
      options.log.warn({ err }, 'the database is not reachable yet');
      await pause(retryMs);
    }
  }
};

/** What a service says of its database. */
export interface OwnDatabase extends Pick<DatabaseOptions, 'entities' | 'log' | 'metrics' | 'tracing'> {
  name: ServiceName;
  runtime: { STANZA_DATABASE_URL?: string | undefined };
}

/** Opens a pool of the service's database, once it is reachable; undefined for a service without one. */
export const openDatabase = async (
  { runtime, name, log, metrics, tracing, entities = [] }: OwnDatabase,
  part: Pick<DatabaseOptions, 'pool' | 'isPoolUnseen' | 'wake'>,
): Promise<Database | undefined> => {
  const url = runtime.STANZA_DATABASE_URL;
  if (url === undefined) return undefined;
  const applicationName = `stanza ${name}`;
  return connectPatiently({
    url,
    schema: schemaOf(name),
    entities,
    ...part,
    applicationName,
    log,
    metrics,
    tracing,
  });
};
