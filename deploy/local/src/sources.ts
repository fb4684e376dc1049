import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StackFailure } from './failure.ts';
import { projectRoot } from './project.ts';

/** How a stack runs from the sources of the checkout instead of from what was built of them. */
export interface FromSources {
  /** Ports of the inspectors, by the name of the process. */
  inspectors: Readonly<Record<string, number>>;
}

/** Lets the packages of the checkout resolve to their TypeScript, whose types Node strips as it loads it. */
export const sourceCondition = '--conditions=@stanza/source';

/**
 * How long the process of a source may take to end. It is short because a restart waits for it, and because a process
 * with a debugger attached does not end by itself: Node waits for the debugger to leave.
 */
export const sourceStopTimeoutMs = 1_000;

/** What Node is given to run the entry of a workspace: its source, or what was built of it. */
export const entryArguments = (
  workspace: string,
  name: string,
  sources: FromSources | undefined,
): string[] => {
  if (sources === undefined) return ['--enable-source-maps', builtMain(workspace)];
  const port = sources.inspectors[name];
  const inspect = port === undefined ? [] : [`--inspect=127.0.0.1:${port}`];
  return [sourceCondition, ...inspect, join(projectRoot, workspace, 'src/main.ts')];
};

/** The built entry of a workspace. */
const builtMain = (workspace: string): string => {
  const main = join(projectRoot, workspace, 'dist/main.js');
  if (existsSync(main)) return main;
  throw new StackFailure(
    `${workspace} is not built: ${main} is missing.`,
    'Run "npm run build" and read what it says.',
  );
};
