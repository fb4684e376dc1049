import { serviceNames } from '@stanza/contracts';
import type { Workspace } from './workspaces.ts';

/** The restarts that changed files need. */
export interface Affected {
  /** Processes to restart, by name. */
  processes: string[];
  /** True when migrations may have to be applied first. */
  migrations: boolean;
  /** True when the permissions of the services in NATS may have changed. */
  permissions: boolean;
  /** True when the program that runs the stack has changed, which needs a restart by hand. */
  runner: boolean;
}

const sandboxFolder = 'deploy/sandbox';
const runnerFolder = 'deploy/local';
const contractsFolder = 'shared/contracts';

/** The process that runs the main file of a package; undefined for a library, and for the console, which is built. */
const processOf = ({ folder }: Workspace): string | undefined => {
  if (folder === sandboxFolder) return 'sandbox';
  return serviceNames.find((name) => folder === `services/${name}`);
};

/** True for a file that a running process can load; false for tests and their helpers. */
export const isRunSource = (path: string): boolean =>
  /^(?:services|shared|deploy)\/[^/]+\/src\/(?:.+\/)?[^/.][^/]*\.ts$/.test(path) &&
  !/\.test\.ts$|\/testing\//.test(path);

/** The folders of the packages that a package needs, directly or through others, and its own. */
const closureOf = (workspace: Workspace, all: readonly Workspace[]): Set<string> => {
  const seen = new Set<string>();
  const add = (it: Workspace): void => {
    if (seen.has(it.folder)) return;
    seen.add(it.folder);
    for (const needed of all) if (it.dependencies.includes(needed.name)) add(needed);
  };
  add(workspace);
  return seen;
};

/** The restarts that changed paths, relative to the checkout, need. */
export const affectedBy = (paths: readonly string[], workspaces: readonly Workspace[]): Affected => {
  const sources = paths.filter(isRunSource);
  const folders = new Set(sources.map((path) => path.split('/', 2).join('/')));
  const processes = workspaces.flatMap((workspace) => {
    const name = processOf(workspace);
    const closure = closureOf(workspace, workspaces);
    return name !== undefined && [...folders].some((folder) => closure.has(folder)) ? [name] : [];
  });
  return {
    processes: processes.sort(),
    migrations: sources.some((path) => path.includes('/src/store/migrations/')),
    permissions: folders.has(contractsFolder),
    runner: folders.has(runnerFolder),
  };
};
