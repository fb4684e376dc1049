import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsPermissions } from '@stanza/contracts';
import { findNats, freePorts, SupervisedProcess } from '@stanza/test-kit/database';

/** Options of a test's NATS server; all users may do everything unless given. */
export interface TestNatsOptions {
  /** Bytes of the largest message. */
  maxPayload?: number;
  /** Permissions by user; each has the password `secret`. */
  users?: Record<string, NatsPermissions>;
  /** Port of the server's monitoring endpoint. */
  monitorPort?: number;
}

/** A NATS server of one test file. */
export interface TestNats {
  url: string;
  /** Its process, while it runs. */
  readonly pid: number | undefined;
  /** Kills it; it stays down until `restart`. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

const configOf = (port: number, { maxPayload, users, monitorPort }: TestNatsOptions): string =>
  JSON.stringify({
    listen: `127.0.0.1:${port}`,
    ...(monitorPort !== undefined && { http: `127.0.0.1:${monitorPort}` }),
    max_payload: maxPayload ?? 1024 * 1024,
    ...(users && {
      accounts: {
        STANZA: {
          users: Object.entries(users).map(([user, { publish, subscribe, allowResponses }]) => ({
            user,
            password: 'secret',
            permissions: {
              publish: { allow: publish },
              subscribe: { allow: subscribe },
              ...(allowResponses && { allow_responses: { max: 1, expires: '1m' } }),
            },
          })),
        },
      },
    }),
  });

/** A NATS server sends the first message. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const answer = (isReady: boolean) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once('data', () => answer(true));
    socket.once('error', () => answer(false));
  });

/** Starts a NATS server on a free port. */
export const startTestNats = async (options: TestNatsOptions = {}): Promise<TestNats> => {
  const [port = 0] = await freePorts(1);
  const folder = await mkdtemp(join(tmpdir(), 'stanza-nats-'));
  const config = join(folder, 'nats.conf');
  await writeFile(config, configOf(port, options));
  const { path } = await findNats();
  const server = new SupervisedProcess({
    name: 'nats',
    command: path,
    args: ['--config', config],
    env: {},
    cwd: folder,
    logFile: join(folder, 'nats.log'),
    isReady: () => greets(port),
    stopSignal: 'SIGTERM',
    orphanSignal: 'SIGKILL',
    stopTimeoutMs: 5_000,
    readyTimeoutMs: 10_000,
  });
  await server.start();
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return server.pid;
    },
    kill: () => server.stop('SIGKILL'),
    restart: () => server.start(),
    close: async () => {
      await server.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
};
