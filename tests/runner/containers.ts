import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { prepareDirectory, type StackDirectory } from '@stanza/local/directory';
import { messageOf, StackFailure } from '@stanza/local/failure';
import { natsConfig, natsUsers } from '@stanza/local/nats/config';
import { serverSettings, settingsArgs } from '@stanza/local/postgres/settings';
import { databaseName } from '@stanza/local/postgres/start';
import { closeToPublic, databaseRoles, provision } from '@stanza/local/provision';
import { loadSecrets, type StackSecrets } from '@stanza/local/secrets';
import type { StartedTestContainer } from 'testcontainers';
import { v7 as uuid } from 'uuid';

/** The vendors' images, in the versions of docker-compose.yml. */
export const testImages = { postgres: 'postgres:18', nats: 'nats:2.14' } as const;

/** Containers that stand in for the embedded Postgres and NATS. */
export interface TestContainers {
  /** `DATABASE_URL` and `NATS_URL`. */
  env: Record<string, string>;
  /** Removes them and their volumes. */
  stop: () => Promise<void>;
}

/** Where the containers of one run keep their logs and passwords, and by which label they are found again. */
interface Run {
  id: string;
  directory: StackDirectory;
  secrets: StackSecrets;
}

const runLabel = 'stanza.test-run';
const startupTimeoutMs = 120_000;

/** Whether `STANZA_TEST_CONTAINERS` asks for containers. */
export const wantsTestContainers = (env: Record<string, string | undefined> = process.env): boolean => {
  const value = env.STANZA_TEST_CONTAINERS ?? '';
  if (['', '0', '1'].includes(value)) return value === '1';
  throw new StackFailure(`STANZA_TEST_CONTAINERS is ${value}.`, 'Set it to 1, or unset it.');
};

/**
 * Starts Postgres and NATS from the vendors' images through testcontainers, with the settings, users and permissions of
 * the embedded ones. The passwords are those that a stack in `directory` uses. Fails where no container engine answers.
 */
export const startTestContainers = async (directory: StackDirectory): Promise<TestContainers> => {
  await checkEngine();
  await prepareDirectory(directory);
  const secrets = await loadSecrets(directory.secrets, { roles: databaseRoles, nats: natsUsers });
  const run: Run = { id: uuid(), directory, secrets };
  const starts = await Promise.allSettled([startPostgres(run), startNats(run)]);
  try {
    const [databaseUrl, natsUrl] = starts.map(startedOrThrow);
    if (databaseUrl === undefined || natsUrl === undefined) throw new Error('an address is missing');
    await provision(databaseUrl, secrets.roles);
    await closeToPublic(databaseUrl);
    return { env: { DATABASE_URL: databaseUrl, NATS_URL: natsUrl }, stop: () => removeContainers(run) };
  } catch (error) {
    await removeContainers(run);
    throw error;
  }
};

/** testcontainers is a package for development, and is loaded only here and when it is needed. */
const loadTestcontainers = () => import('testcontainers');

const checkEngine = async (): Promise<void> => {
  const { getContainerRuntimeClient } = await loadTestcontainers();
  try {
    await getContainerRuntimeClient();
  } catch (error) {
    throw new StackFailure(
      `STANZA_TEST_CONTAINERS is set, and no container engine answers: ${messageOf(error)}.`,
      'Start one ("docker info" says why none answers), or unset STANZA_TEST_CONTAINERS to use the embedded Postgres and NATS.',
      { cause: error },
    );
  }
};

const startPostgres = async (run: Run): Promise<string> => {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = await new PostgreSqlContainer(testImages.postgres)
    .withDatabase(databaseName)
    .withUsername('postgres')
    .withPassword(run.secrets.postgres)
    .withEnvironment({ POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C' })
    .withCommand(['postgres', ...settingsArgs(serverSettings)])
    // Parallel queries share memory there; the engine's default is 64 MB.
    .withSharedMemorySize(256 * 1024 * 1024)
    // The check goes on as long as the container: the default of four a second would take a good part of a core.
    .withHealthCheck({
      test: ['CMD', 'pg_isready', '-q', '-h', '127.0.0.1', '-U', 'postgres', '-d', databaseName],
      interval: 2_000,
      timeout: 5_000,
      retries: 60,
    })
    .withLabels({ [runLabel]: run.id })
    .withLogConsumer(logTo(run, 'postgres'))
    .withStartupTimeout(startupTimeoutMs)
    .start();
  return container.getConnectionUri();
};

const natsPort = 4222;
const natsConfigFile = '/etc/stanza/nats.conf';

/**
 * A plain container: the NatsContainer of testcontainers always passes `--user` and `--pass`, and a server that has
 * accounts in its configuration refuses to start with them.
 */
const startNats = async (run: Run): Promise<string> => {
  const { GenericContainer, Wait } = await loadTestcontainers();
  const config = natsConfig({
    host: '0.0.0.0',
    port: natsPort,
    passwords: run.secrets.nats,
  });
  const container: StartedTestContainer = await new GenericContainer(testImages.nats)
    .withExposedPorts(natsPort)
    .withCopyContentToContainer([{ content: config, target: natsConfigFile, mode: 0o444 }])
    .withCommand(['--config', natsConfigFile])
    .withLabels({ [runLabel]: run.id })
    .withLogConsumer(logTo(run, 'nats'))
    .withWaitStrategy(Wait.forLogMessage('Server is ready'))
    .withStartupTimeout(startupTimeoutMs)
    .start();
  return `nats://${container.getHost()}:${container.getMappedPort(natsPort)}`;
};

/** Puts the log of a container where that of the embedded process would be. */
const logTo =
  ({ directory }: Run, name: string) =>
  (stream: Readable): void => {
    stream.pipe(createWriteStream(join(directory.logs, `${name}.log`), { flags: 'a' }));
  };

const startedOrThrow = (start: PromiseSettledResult<string>): string => {
  if (start.status === 'fulfilled') return start.value;
  throw new StackFailure(
    `A container of the tests did not start: ${messageOf(start.reason)}`,
    'Its log is kept with those of the stack; DEBUG=testcontainers* shows each step.',
    { cause: start.reason },
  );
};

/** Removes what carries the run's label, which includes a container whose start has failed. */
const removeContainers = async ({ id }: Run): Promise<void> => {
  const { getContainerRuntimeClient } = await loadTestcontainers();
  const { container } = await getContainerRuntimeClient();
  const left = await container.dockerode.listContainers({
    all: true,
    filters: { label: [`${runLabel}=${id}`] },
  });
  await Promise.all(left.map(({ Id }) => container.getById(Id).remove({ force: true, v: true })));
};
