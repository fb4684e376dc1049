import type { Command } from 'commander';
import type { StackDirectory } from '../directory.ts';
import { lockHolder } from '../directory-lock.ts';
import { StackFailure } from '../failure.ts';
import { readInfo, type StackInfo } from '../info.ts';
import { type ProcessIdentity, stillRuns } from '../process-identity.ts';
import { colours, type Progress, terminalProgress } from '../progress.ts';
import type { StackOptions } from '../stack-options.ts';
import { startPatienceMs, waitUntil } from '../wait.ts';
import { reportToParent, startInBackground } from './background.ts';
import { homeDirectory, shortPath } from './home.ts';
import { prepareStart, type StartOptions } from './prepare.ts';
import type { StackRun } from './run-stack.ts';
import { summary } from './summary.ts';

/** The options of `npm start`. */
type SmallOption = StartOptions & Pick<StackOptions, 'small'>;

/** `npm start`: starts everything and stays, or (`--detach`) returns when it is ready. */
export const start = async (
  options: SmallOption & { detach: boolean },
  command: Pick<Command, 'getOptionValueSource'>,
): Promise<void> => {
  const directory = homeDirectory();
  const holder = lockHolder(directory.lock);
  if (holder !== undefined) {
    const isPortGiven = command.getOptionValueSource('port') === 'cli' && options.port !== 0;
    return showRunning(directory, holder, { ...options, port: isPortGiven ? options.port : undefined });
  }
  await prepareStart('start', options, directory);
  if (options.detach) {
    await startInBackground(options, directory, terminalProgress());
    console.log(summary(await knownInfo(directory), directory));
    console.log('  It runs in the background; "npm stop" stops it.\n');
    return;
  }
  await run(options, directory, terminalProgress(), ({ info }) => {
    console.log(summary(info, directory));
    console.log(`  ${colours().dim(`Logs are in ${shortPath(directory.logs)}. Ctrl-C stops it.`)}\n`);
  });
};

/** The process behind `npm start -- --detach`: the same, reporting to its parent instead of a terminal. */
export const supervise = async (options: SmallOption): Promise<void> => {
  const parent = reportToParent();
  try {
    await run(options, homeDirectory(), parent.progress, (_stack, requests) => {
      requests.outliveParent();
      parent.ready();
    });
  } catch (error) {
    parent.failed(error);
    process.exitCode = 1;
  }
};

const run = async (
  { port, small }: Pick<StackOptions, 'port' | 'small'>,
  directory: StackDirectory,
  progress: Progress,
  onReady: StackRun['onReady'],
): Promise<void> => {
  const onCrashLoop = (name: string, deaths: number, lines: string[]) =>
    progress.say(crashReport(name, deaths, lines));
  const onRestart = (name: string, how: string) =>
    progress.say(`  ${new Date().toISOString()} ${name} ${how}, and is restarted.`);
  // The process that waits for one in the background runs no stack.
  const { runStack } = await import('./run-stack.ts');
  return runStack({ directory, progress, options: { port, small, onRestart, onCrashLoop }, onReady });
};

const crashReport = (name: string, deaths: number, lines: string[]): string =>
  [
    `  ${name} has died ${deaths} times in a row, and is restarted. Its last lines:`,
    ...lines.map((it) => `    ${it}`),
  ].join('\n');

/** Why the running stack is not the one that is asked for; undefined where it is. */
const otherOf = (
  { base_url, pids }: StackInfo,
  { port, small }: Pick<StackOptions, 'port' | 'small'>,
): string | undefined => {
  if (port !== undefined && Number(new URL(base_url).port) !== port)
    return `on ${base_url}, so none starts on port ${port}`;
  return small && 'gateway' in pids
    ? 'with a process for each service, so none starts with --small'
    : undefined;
};

const showRunning = async (
  directory: StackDirectory,
  holder: ProcessIdentity,
  { fresh, ...wanted }: Pick<StackOptions, 'port' | 'small'> & Pick<StartOptions, 'fresh'>,
): Promise<void> => {
  const advice = 'Run "npm stop" first.';
  if (fresh)
    throw new StackFailure(
      `A stack is running (process ${holder.pid}), so its data cannot be deleted.`,
      advice,
    );
  const published = async () => (await readInfo(directory.info)) !== undefined || !stillRuns(holder);
  const waiting = waitUntil(published, { timeoutMs: startPatienceMs, everyMs: 100 });
  await terminalProgress().step('Already running', waiting, () => `process ${holder.pid}`);
  const info = await knownInfo(directory);
  const other = otherOf(info, wanted);
  if (other !== undefined) throw new StackFailure(`A stack is running ${other}.`, advice);
  console.log(summary(info, directory));
};

const knownInfo = async (directory: StackDirectory): Promise<StackInfo> => {
  const info = await readInfo(directory.info);
  if (info !== undefined) return info;
  throw new StackFailure('The other start failed.', `Read ${shortPath(directory.logs)}, and start again.`);
};
