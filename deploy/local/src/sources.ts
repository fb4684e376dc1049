import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StackFailure } from './failure.ts';
import { projectRoot } from './project.ts';

/** Options of a stack that runs from the sources of the checkout. */
export interface FromSources {
  /** Ports of the inspectors, by the name of the process. */
  inspectors: Readonly<Record<string, number>>;
}

/** Resolves the packages of the checkout to their TypeScript, whose types Node strips. */
export const sourceCondition = '--conditions=@stanza/source';

/**
 * Timeout of the stop of a process that runs from its source, milliseconds. It is short because a restart waits for it,
 * and because a process with a debugger attached does not exit by itself: Node waits for the debugger to disconnect.
 */
export const sourceStopTimeoutMs = 1_000;

/** Node's arguments for the entry of a workspace: its source or its build. */
export const entryArguments = (
  workspace: string,
  name: string,
  sources: FromSources | undefined,
  main = 'main',
): string[] => {
  if (sources === undefined) return [builtMain(workspace, main)];
  const port = sources.inspectors[name];
  const inspect = port === undefined ? [] : [`--inspect=127.0.0.1:${port}`];
  return [sourceCondition, ...inspect, join(projectRoot, workspace, `src/${main}.ts`)];
};

/** The built entry of a workspace. */
const builtMain = (workspace: string, main: string): string => {
  const file = join(projectRoot, workspace, `dist/${main}.js`);
  if (existsSync(file)) return file;
  throw new StackFailure(
    `${workspace} is not built: ${file} is missing.`,
    'Run "npm run build" and read its output.',
  );
};
