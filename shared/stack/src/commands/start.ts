import { emptyDirectory, prepareDirectory, type StackDirectory } from '../directory.ts';
import { lockHolder } from '../directory-lock.ts';
import { messageOf, StackFailure } from '../failure.ts';
import { readInfo, type StackInfo } from '../info.ts';
import { portOwner } from '../port-owner.ts';
import { portTrouble } from '../ports.ts';
import { endLeftovers } from '../process-group.ts';
import { type ProcessIdentity, stillRuns } from '../process-identity.ts';
import { colours, type Progress, terminalProgress } from '../progress.ts';
import { startStack } from '../stack.ts';
import { waitUntil } from '../wait.ts';
import { sendWelcome } from '../welcome.ts';
import { startInBackground, tellParent } from './background.ts';
import { homeDirectory, shortPath } from './home.ts';
import { type EndRequests, endRequests } from './signals.ts';
import { summary } from './summary.ts';

/** The options of `npm start`. */
export interface StartOptions {
  port: number;
  fresh: boolean;
}

/** `npm start`: starts everything and stays, or (`--detach`) returns when it is ready. */
export const start = async (options: StartOptions & { detach: boolean }): Promise<void> => {
  const directory = homeDirectory();
  const holder = lockHolder(directory.lock);
  if (holder !== undefined) return showRunning(directory, holder, options.fresh);
  await prepareDirectory(directory);
  if (options.fresh) {
    await endLeftovers(directory.processes);
    await emptyDirectory(directory);
    await prepareDirectory(directory);
  }
  await endLeftovers(directory.processes);
  await checkPort(options.port);
  if (options.detach) {
    await startInBackground(options.port, directory, terminalProgress());
    console.log(summary(await knownInfo(directory), directory));
    console.log('  It runs in the background; "npm stop" ends it.\n');
    return;
  }
  await run(options.port, directory, terminalProgress(), (info) => {
    console.log(summary(info, directory));
    console.log(`  ${colours().dim(`Logs are in ${shortPath(directory.logs)}. Ctrl-C ends it.`)}\n`);
  });
};

/** The process behind `npm start -- --detach`: the same, telling its starter instead of a terminal. */
export const supervise = async (options: StartOptions): Promise<void> => {
  const parent = tellParent();
  try {
    await run(options.port, homeDirectory(), parent.progress, (_info, requests) => {
      requests.outliveParent();
      parent.ready();
    });
  } catch (error) {
    parent.failed(error);
    process.exitCode = 1;
  }
};

const run = async (
  port: number,
  directory: StackDirectory,
  progress: Progress,
  onReady: (info: StackInfo, requests: EndRequests) => void,
): Promise<void> => {
  const requests = endRequests();
  const onCrashLoop = (name: string, deaths: number, lines: string[]) =>
    progress.say(crashReport(name, deaths, lines));
  try {
    const options = { directory: directory.root, port, progress, onCrashLoop, signal: requests.first };
    const stack = await startStack(options);
    try {
      await welcome(stack.info, directory, progress);
      onReady(stack.info, requests);
      await requests.arrived;
    } finally {
      await progress.step('Stopping', stack.stop());
    }
  } finally {
    requests.done();
  }
};

const crashReport = (name: string, deaths: number, lines: string[]): string =>
  [
    `  ${name} has died ${deaths} times in a row, and is started on. Its last lines:`,
    ...lines.map((it) => `    ${it}`),
  ].join('\n');

/** A stack whose first message failed is still worth looking at, so it is reported and the start goes on. */
const welcome = async (info: StackInfo, directory: StackDirectory, progress: Progress): Promise<void> => {
  try {
    await progress.step('First message', sendWelcome(info, directory.welcome), (what) => what);
  } catch (error) {
    progress.say(`    ${messageOf(error)}`);
  }
};

const showRunning = async (
  directory: StackDirectory,
  holder: ProcessIdentity,
  fresh: boolean,
): Promise<void> => {
  if (fresh) {
    throw new StackFailure(
      `Stanza runs (process ${holder.pid}), so its data cannot be deleted.`,
      'Run "npm stop" first.',
    );
  }
  const published = async () => (await readInfo(directory.info)) !== undefined || !stillRuns(holder);
  const waiting = waitUntil(published, { timeoutMs: 120_000, everyMs: 100 });
  await terminalProgress().step('Already running', waiting, () => `process ${holder.pid}`);
  console.log(summary(await knownInfo(directory), directory));
};

const knownInfo = async (directory: StackDirectory): Promise<StackInfo> => {
  const info = await readInfo(directory.info);
  if (info !== undefined) return info;
  throw new StackFailure(
    'The other start did not succeed.',
    `Read ${shortPath(directory.logs)}, and start again.`,
  );
};

const checkPort = async (port: number): Promise<void> => {
  const trouble = await portTrouble(port);
  if (trouble === undefined) return;
  if (trouble === 'EACCES') {
    throw new StackFailure(
      `Port ${port} is not open to your user.`,
      'Choose one above 1023: npm start -- --port 8787',
    );
  }
  throw new StackFailure(
    `Port ${port} is taken by ${portOwner(port) ?? 'another process'}.`,
    'End that process, or choose another port: npm start -- --port 0 takes any free one.',
  );
};
