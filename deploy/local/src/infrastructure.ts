import { join } from 'node:path';
import type { StackDirectory } from './directory.ts';
import { messageOf, StackFailure } from './failure.ts';
import { type NatsAddress, parseNatsUrl } from './nats/address.ts';
import { prepareNats } from './nats/start.ts';
import { freePorts } from './ports.ts';
import { preparePostgres } from './postgres/start.ts';
import type { ProcessGroup } from './process-group.ts';
import type { Progress } from './progress.ts';
import { closeToPublic, provision } from './provision.ts';
import type { StackSecrets } from './secrets.ts';

/** The dependencies of the services. */
export interface Infrastructure {
  /** Address of the database for its owner. */
  databaseUrl: string;
  nats: NatsAddress;
}

/** Options of the start. */
export interface InfrastructureOptions {
  directory: StackDirectory;
  secrets: StackSecrets;
  env: Record<string, string | undefined>;
  group: ProcessGroup;
  progress: Progress;
}

/**
 * Starts Postgres and NATS, or uses those of `DATABASE_URL` and `NATS_URL`, and creates the roles and schemas of the
 * services.
 */
export const startInfrastructure = async (options: InfrastructureOptions): Promise<Infrastructure> => {
  const [postgresPort = 0, natsPort = 0] = await freePorts(2);
  const { group } = options;
  const [databaseUrl, nats] = await Promise.all([
    group.track(database(options, postgresPort)),
    group.track(broker(options, natsPort)),
  ]);
  return { databaseUrl, nats };
};

const database = async (options: InfrastructureOptions, port: number): Promise<string> => {
  const { progress, secrets, env } = options;
  if (env.DATABASE_URL) {
    await progress.step(
      'PostgreSQL',
      provisionGiven(env.DATABASE_URL, secrets),
      () => 'that of DATABASE_URL',
    );
    return env.DATABASE_URL;
  }
  const { url } = await progress.step('PostgreSQL', ownPostgres(options, port), ({ told }) => told);
  return url;
};

const ownPostgres = async ({ directory, secrets, group }: InfrastructureOptions, port: number) => {
  const prepared = await preparePostgres({
    folder: directory.root,
    logFile: join(directory.logs, 'postgres.log'),
    port,
    password: secrets.postgres,
    events: group.events,
  });
  await group.start(prepared.process);
  await prepared.createDatabase();
  await provision(prepared.url, secrets.roles);
  await closeToPublic(prepared.url);
  const told = [`${prepared.version.replace(/-.*/, '')} on port ${port}`, prepared.note]
    .filter(Boolean)
    .join('; ');
  return { url: prepared.url, told };
};

const provisionGiven = async (url: string, secrets: StackSecrets): Promise<void> => {
  try {
    await provision(url, secrets.roles);
  } catch (error) {
    if (error instanceof StackFailure) throw error;
    throw new StackFailure(
      `The database of DATABASE_URL cannot be used: ${messageOf(error)}`,
      'Check the address, the user and its rights (it must be able to create roles and schemas), or unset DATABASE_URL.',
      { cause: error },
    );
  }
};

const broker = async (options: InfrastructureOptions, port: number): Promise<NatsAddress> => {
  const { env, progress } = options;
  if (env.NATS_URL) {
    progress.say('  NATS: that of NATS_URL');
    return parseNatsUrl(env.NATS_URL);
  }
  const starting = ownNats(options, port);
  const { url } = await progress.step(
    'NATS',
    starting,
    ({ binary }) => `${binary.version} (${binary.origin}) on port ${port}`,
  );
  return { url };
};

const ownNats = async ({ directory, secrets, group, env }: InfrastructureOptions, port: number) => {
  const prepared = await prepareNats({
    folder: directory.nats,
    logFile: join(directory.logs, 'nats.log'),
    port,
    passwords: secrets.nats,
    env,
    events: group.events,
  });
  await group.start(prepared.process);
  return prepared;
};
