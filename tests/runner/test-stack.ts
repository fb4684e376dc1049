import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@stanza/local/database-client';
import { type StackDirectory, stackDirectory } from '@stanza/local/directory';
import type { Progress } from '@stanza/local/progress';
import { projectRoot } from '@stanza/local/project';
import { type Stack, type StackOptions, startStack } from '@stanza/local/stack';
import { placeClusterOfStack } from '../kit/cluster.ts';
import { startTestContainers, testImages, wantsTestContainers } from './containers.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';

/** The stack that all tests of a run share, on ports and data of its own. */
export interface SharedStack {
  /** What tests find it by. */
  env: Record<string, string>;
  /** Ends it and deletes its data; after a failure its logs are kept, and the answer says where. */
  end: (failed: boolean) => Promise<string | undefined>;
}

type ServicesOfTests = Pick<StackOptions, 'replicas' | 'services' | 'small' | 'env'>;

/**
 * What the shared stack has besides the usual, so that no test needs a stack of its own for it: replicas of the
 * services whose replicas must agree, a mail server, and erasures that begin at once. Its other processes are one,
 * which starts in a third of the time.
 */
const servicesFor = (mailbox: Mailbox): ServicesOfTests => ({
  replicas: { gateway: 2, compile: 2 },
  small: true,
  env: {
    STANZA_SMTP_URL: mailbox.smtpUrl,
    STANZA_SMTP_FROM: 'Stanza <stanza@example.com>',
    STANZA_INVITATION_URL: 'https://stanza.example.com/join',
    STANZA_ERASURE_DELAY_SECONDS: '1',
  },
});

/** What tests find a stack by. */
const variablesOf = (
  stack: Stack,
  infoFile: string,
  mailbox: Mailbox | undefined,
): Record<string, string> => ({
  STANZA_TEST_STACK: infoFile,
  STANZA_TEST_GATEWAYS: stack.baseUrls.join(),
  ...(mailbox ? { STANZA_TEST_MAILBOX: mailbox.url } : {}),
});

const keepLogs = async (logs: string): Promise<string> => {
  const kept = join(projectRoot, '.stanza/test-logs');
  await rm(kept, { recursive: true, force: true });
  if (existsSync(logs)) await cp(logs, kept, { recursive: true });
  return kept;
};

/** Starts Postgres and NATS as containers, where that is asked for; answers the variables that name them. */
const startInfrastructure = async (
  directory: StackDirectory,
  progress: Progress,
  opened: AsyncDisposableStack,
): Promise<Record<string, string>> => {
  if (!wantsTestContainers()) return {};
  const images = Object.values(testImages).join(', ');
  const containers = await progress.step('Containers', startTestContainers(directory), () => images);
  opened.defer(() => containers.stop());
  return containers.env;
};

/** The data outlives no crash of the machine, and no run: nothing waits for the disk. */
const forgoDisk = ({ info }: Stack): Promise<void> =>
  withClient(info.database_url, async (client) => {
    await client.query('alter system set fsync = off');
    await client.query('alter system set full_page_writes = off');
    await client.query('alter system set autovacuum = off');
    await client.query('select pg_reload_conf()');
  });

/** A file system in memory, and the bytes that have to be free there: a run keeps two to three GB. */
const inMemory = { path: '/dev/shm', bytes: 8 * 1024 ** 3 };

/**
 * The folder for a run's data. Each test file copies a database and drops it, which makes and deletes hundreds of files: a
 * tenth of the CPU of the level `int` on a disk.
 */
const folderOfData = async (): Promise<string> => {
  const room = await statfs(inMemory.path).catch(() => undefined);
  const free = room === undefined ? 0 : Math.min(room.bavail * room.bsize, freemem());
  return free >= inMemory.bytes ? inMemory.path : tmpdir();
};

/** Starts it: with all services, or with Postgres and NATS alone, which `STANZA_TEST_CONTAINERS=1` puts into containers. */
export const startSharedStack = async (
  withServices: boolean,
  progress: Progress,
  signal: AbortSignal,
): Promise<SharedStack> => {
  const root = await mkdtemp(join(await folderOfData(), 'stanza-test-'));
  const directory = stackDirectory(root);
  const opened = new AsyncDisposableStack();
  opened.defer(() => rm(root, { recursive: true, force: true }));
  try {
    const mailbox = withServices ? await startMailbox() : undefined;
    opened.defer(() => mailbox?.close());
    const infrastructure = await startInfrastructure(directory, progress, opened);
    const services: ServicesOfTests = mailbox ? servicesFor(mailbox) : { services: [] };
    const env = { ...infrastructure, ...services.env };
    await placeClusterOfStack(root);
    const stack = await startStack({ directory: root, progress, signal, ...services, env });
    await forgoDisk(stack);
    return {
      env: variablesOf(stack, directory.info, mailbox),
      end: async (failed) => {
        await stack.stop();
        const kept = failed ? await keepLogs(directory.logs) : undefined;
        await opened.disposeAsync();
        return kept;
      },
    };
  } catch (error) {
    await keepLogs(directory.logs);
    await opened.disposeAsync();
    throw error;
  }
};
