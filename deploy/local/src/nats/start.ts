import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '../environment.ts';
import { loopback } from '../ports.ts';
import { scriptPath } from '../project.ts';
import { sourceCondition } from '../sources.ts';
import { type ProcessEvents, type ProcessSpec, SupervisedProcess } from '../supervised-process.ts';
import { startPatienceMs } from '../wait.ts';
import { findNats, type NatsBinary } from './binary.ts';
import { natsConfig } from './config.ts';

/** Options of {@link startNats}. */
export interface NatsOptions {
  /** Holds the configuration. */
  folder: string;
  logFile: string;
  port: number;
  /** Passwords by user. */
  passwords: Record<string, string>;
  /** Environment with `NATS_SERVER_BIN`; that of the process by default. */
  env?: Record<string, string | undefined>;
  events?: ProcessEvents;
}

/** A configured NATS server, not yet started. */
export interface PreparedNats {
  process: SupervisedProcess;
  /** Its address without a user. */
  url: string;
  binary: NatsBinary;
}

const configIn = (folder: string): string => join(folder, 'nats.conf');

/**
 * Writes the permissions of the sources' contracts into the configuration in a folder. The server reads it on SIGHUP.
 * @throws where the sources do not load
 */
export const renewUsers = async (folder: string): Promise<void> => {
  await promisify(execFile)(process.execPath, [
    sourceCondition,
    scriptPath('nats/renew-users'),
    configIn(folder),
  ]);
};

/** Finds the program and writes the configuration, with one user for each caller. */
export const prepareNats = async (options: NatsOptions): Promise<PreparedNats> => {
  const binary = await findNats(options.env);
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const configFile = configIn(options.folder);
  const config = natsConfig({ port: options.port, passwords: options.passwords });
  await writeFile(configFile, config, { mode: 0o600 });
  const spec: ProcessSpec = {
    name: 'nats',
    command: binary.path,
    args: ['--config', configFile],
    env: inheritedEnvironment(),
    cwd: options.folder,
    logFile: options.logFile,
    isReady: () => greets(options.port),
    stopSignal: 'SIGTERM',
    orphanSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
    readyTimeoutMs: startPatienceMs,
  };
  return {
    process: new SupervisedProcess(spec, options.events),
    url: `nats://${loopback}:${options.port}`,
    binary,
  };
};

/** Prepares and starts a NATS server, for tests. */
export const startNats = async (options: NatsOptions): Promise<PreparedNats> => {
  const prepared = await prepareNats(options);
  try {
    await prepared.process.start();
    return prepared;
  } catch (error) {
    await prepared.process.stop();
    throw error;
  }
};

/** A NATS server sends the first line: `INFO {…}`. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: loopback, timeout: 1_000 });
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('data', (bytes) => answer(bytes.toString('latin1').startsWith('INFO ')));
    socket.once('error', () => answer(false));
    socket.once('close', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
