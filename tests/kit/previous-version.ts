import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { ServiceName } from '@stanza/contracts';
import type { Build } from '@stanza/local';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A service as it was before its latest migration. */
export interface PreviousVersion {
  service: ServiceName;
  /** The commit before the one that brought the migration. */
  commit: string;
  /** When the migration was committed: seconds since 1970. */
  migratedAt: number;
}

/** What of a checkout a service is built from. */
const sources = ['shared', 'services', 'tsconfig.base.json', 'package.json', 'package-lock.json'];

/** The packages that the gateway's own console is built from, which the gateway itself lacks. */
const ofTheConsole = ['shared/engine', 'shared/block-view'];

const git = async (...args: string[]): Promise<string> =>
  (await run('git', ['-C', root, ...args])).stdout.trim();

/**
 * The version of a service before its latest migration; undefined where the history of the repository is not there, as
 * in a shallow clone or an archive.
 */
export const previousVersion = async (service: ServiceName): Promise<PreviousVersion | undefined> => {
  const migrations = `services/${service}/src/store/migrations/[0-9]*.ts`;
  const newest = ['-1', '--diff-filter=A', '--no-renames', '--format=%H %ct', '--', migrations];
  try {
    const [migrating, at] = (await git('log', ...newest)).split(' ');
    const commit = await git('rev-parse', '--verify', `${migrating}^`);
    return { service, commit, migratedAt: Number(at) };
  } catch (error) {
    // What git itself says has the code that it, or the attempt to run it, ended with.
    if (Object(error).code === undefined) throw error;
    return undefined;
  }
};

/**
 * Links the packages that this checkout has into a copy of it, but for those of the project itself, which are those of
 * the old checkout.
 */
export const linkPackages = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'node_modules/@stanza'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@stanza')
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const group of ['shared', 'services']) {
    for (const name of await readdir(join(folder, group))) {
      await symlink(join(folder, group, name), join(folder, 'node_modules/@stanza', name));
      const own = join(root, group, name, 'node_modules');
      await symlink(own, join(folder, group, name, 'node_modules'));
    }
  }
};

/** Writes what a build of that commit makes from other sources; earlier ones have it in their history. */
export const generateSources = async (folder: string): Promise<void> => {
  const program = join(folder, 'shared/sdk-emitter/src/main.ts');
  if (existsSync(program)) await run(process.execPath, ['--conditions=@stanza/source', program]);
};

const settingsOf = async (config: string): Promise<ReadonlySet<string>> => {
  const script = `import { settings } from ${JSON.stringify(pathToFileURL(config).href)};
    process.stdout.write(JSON.stringify(Object.keys(settings.shape)));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return new Set(z.array(z.string()).parse(JSON.parse(stdout)));
};

/** What of the contracts is asked of a version: the callers of each operation of a service, by id. */
const callersOf = async (folder: string, service: ServiceName): Promise<ReadonlyMap<string, string[]>> => {
  const contracts = pathToFileURL(join(folder, 'shared/contracts/dist/index.js')).href;
  const script = `import { operations } from ${JSON.stringify(contracts)};
    const own = operations.filter((it) => it.service === ${JSON.stringify(service)});
    process.stdout.write(JSON.stringify(own.map(({ id, callers }) => [id, callers])));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return new Map(z.array(z.tuple([z.string(), z.array(z.string())])).parse(JSON.parse(stdout)));
};

/** A version of a service that can be started. */
export interface PreviousBuild extends Build {
  /** The callers of each of its operations, by id; it drops requests of all others. */
  callers: ReadonlyMap<string, string[]>;
}

/** Services of one commit, built: a checkout with what they share is made and compiled once for all of them. */
const buildCommit = async (
  commit: string,
  services: readonly ServiceName[],
): Promise<{ folder: string; builds: [ServiceName, PreviousBuild][] }> => {
  const folder = await mkdtemp(join(tmpdir(), 'stanza-previous-'));
  const archive = join(folder, 'checkout.tar');
  await git('archive', `--output=${archive}`, commit, ...sources);
  await run('tar', ['-xf', archive, '-C', folder]);
  await linkPackages(folder);
  await generateSources(folder);
  const homeOf = (service: ServiceName) => join(folder, 'services', service);
  const withConsole = services.includes('gateway');
  const compiled = [
    ...services.map(homeOf),
    ...(withConsole ? ofTheConsole : []).map((it) => join(folder, it)),
  ];
  // Its types were checked when it was made.
  const words = ['-b', '--noCheck', '--checkers', '1', ...compiled];
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...words]);
  if (withConsole) await run(process.execPath, [join(folder, 'services/console/build/build.ts')]);
  const builds: [ServiceName, PreviousBuild][] = [];
  for (const service of services) {
    const dist = join(homeOf(service), 'dist');
    const settings = await settingsOf(join(dist, 'config.js'));
    const callers = await callersOf(folder, service);
    builds.push([service, { main: join(dist, 'main.js'), settings, callers }]);
  }
  return { folder, builds };
};

/** Builds versions; what is answered is to be removed after use. */
export const buildPreviousVersions = async (
  versions: readonly PreviousVersion[],
): Promise<{ builds: ReadonlyMap<ServiceName, PreviousBuild>; remove: () => Promise<void> }> => {
  const built: Awaited<ReturnType<typeof buildCommit>>[] = [];
  for (const [commit, of] of Map.groupBy(versions, (it) => it.commit)) {
    built.push(
      await buildCommit(
        commit,
        of.map((it) => it.service),
      ),
    );
  }
  return {
    builds: new Map(built.flatMap(({ builds }) => builds)),
    remove: async () => {
      for (const { folder } of built) await rm(folder, { recursive: true, force: true });
    },
  };
};
