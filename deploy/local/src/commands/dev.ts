import { serviceNames } from '@stanza/contracts';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { followLogs } from '../dev/follow-logs.ts';
import { type Level, levels } from '../dev/log-line.ts';
import { type DevOutput, devOutput } from '../dev/output.ts';
import { DevSession } from '../dev/session.ts';
import type { StackDirectory } from '../directory.ts';
import { alreadyRuns, lockHolder } from '../directory-lock.ts';
import { StackFailure } from '../failure.ts';
import { loopback, portTrouble } from '../ports.ts';
import { stillRuns } from '../process-identity.ts';
import { colours, terminalProgress } from '../progress.ts';
import { waitUntil } from '../wait.ts';
import { homeDirectory } from './home.ts';
import { prepareStart, type StartOptions } from './prepare.ts';
import { runStack } from './run-stack.ts';
import { endRequests } from './signals.ts';
import { summary } from './summary.ts';

/** The options of `npm run dev`. */
export interface DevOptions extends StartOptions {
  inspect: readonly string[];
  only?: readonly string[];
  request?: string;
  level?: Level;
  json: boolean;
}

/** The processes that run from their sources. */
const sourceProcesses: readonly string[] = [...serviceNames, 'sandbox'];
/** Processes whose lines are shown by default. */
const usualLogs: readonly string[] = [...sourceProcesses, 'migrate'];
const allLogs: readonly string[] = [...usualLogs, 'postgres', 'nats'];

const namesAmong =
  (known: readonly string[]) =>
  (text: string): string[] => {
    const names = text.split(',').map((name) => name.trim());
    const strange = names.filter((name) => !known.includes(name));
    if (strange.length === 0) return names;
    throw new InvalidArgumentError(`There is no ${strange.join(', ')}. There are: ${known.join(', ')}.`);
  };

/** Adds the options of `npm run dev` to those of every start. */
export const devOptions = (command: Command): Command =>
  command
    .addArgument(
      new Argument('[task]', '"logs" shows the logs of the stack that runs, from their beginning').choices([
        'logs',
      ]),
    )
    .option(
      '--inspect <services>',
      'open the inspector of a service, for a debugger',
      namesAmong(sourceProcesses),
      [],
    )
    .option('--only <processes>', 'show only the logs of these, as in delivery,gateway', namesAmong(allLogs))
    .option('--request <id>', 'show the lines of one request, by its X-Request-Id')
    .addOption(new Option('--level <level>', 'show lines of this level and above').choices(levels))
    .option('--json', 'show the lines as JSON, as the services write them', false);

/** `npm run dev`: the stack from its sources. A changed file restarts the processes that it belongs to. */
export const dev = async (task: 'logs' | undefined, options: DevOptions): Promise<void> => {
  const directory = homeDirectory();
  const only = options.only === undefined ? undefined : new Set(options.only);
  const { request, level, json } = options;
  const output = devOutput({ filter: { only, request, level }, json });
  if (task === 'logs') return showLogs(directory, options, output);
  const holder = lockHolder(directory.lock);
  if (holder !== undefined) throw alreadyRuns(directory, holder);
  await prepareStart('run dev', options, directory);
  await run(directory, options, output);
};

const run = async (directory: StackDirectory, options: DevOptions, output: DevOutput): Promise<void> => {
  const inspectors = await inspectorPorts(options.inspect);
  // With `--json`, standard output has only lines of JSON.
  const stream = options.json ? process.stderr : process.stdout;
  const session = new DevSession(output, directory.nats);
  let endLogs = (): void => {};
  const onCrashLoop = (name: string, deaths: number): void =>
    output.say('error', `${name} has died ${deaths} times in a row, and is restarted`);
  await runStack({
    directory,
    progress: terminalProgress(stream),
    options: {
      port: options.port,
      sources: { inspectors },
      env: logEnvironment(options.level),
      onRestart: (name, how) => output.say('warn', `${name} ${how}, and is restarted`),
      onCrashLoop,
      onDown: (name, how) => session.onDown(name, how),
    },
    onReady: (stack) => {
      stream.write(`${summary(stack.info, directory, colours(stream))}\n${hints(inspectors)}\n`);
      endLogs = follow(directory, options, output, false);
      session.begin(stack);
    },
    onEnd: async () => {
      await session.end();
      endLogs();
    },
  });
};

/** The addresses of the inspectors, and how to stop. */
const hints = (inspectors: Readonly<Record<string, number>>): string =>
  [
    ...Object.entries(inspectors).map(
      ([name, port]) => `  The inspector of ${name} listens on ${loopback}:${port}, also after restarts.`,
    ),
    '  A changed file restarts its service. Ctrl-C stops everything.\n',
  ].join('\n');

/** Sets the services' own log level, since they write no line below it. */
const logEnvironment = (level: Level | undefined): Record<string, string> =>
  level === 'debug' && process.env.STANZA_LOG_LEVEL === undefined ? { STANZA_LOG_LEVEL: level } : {};

const firstInspectorPort = 9229;
const inspectorPortsTried = 100;

/** Node's usual port for the first inspector, and the next free port for each further one. */
const inspectorPorts = async (names: readonly string[]): Promise<Record<string, number>> => {
  const ports: Record<string, number> = {};
  const last = firstInspectorPort + inspectorPortsTried;
  let port = firstInspectorPort;
  for (const name of new Set(names)) {
    while (port < last && (await portTrouble(port)) !== undefined) port += 1;
    if (port === last) {
      throw new StackFailure(
        `No port from ${firstInspectorPort} to ${last - 1} is free for an inspector.`,
        'Stop one of the programs that listen there.',
      );
    }
    ports[name] = port;
    port += 1;
  }
  return ports;
};

const follow = (
  directory: StackDirectory,
  { only }: DevOptions,
  output: DevOutput,
  fromStart: boolean,
): (() => void) =>
  followLogs({
    folder: directory.logs,
    processes: only ?? usualLogs,
    fromStart,
    onLines: (lines) => output.show(lines),
  });

/** Shows the logs, and follows them while the stack runs. */
const showLogs = async (directory: StackDirectory, options: DevOptions, output: DevOutput): Promise<void> => {
  const holder = lockHolder(directory.lock);
  const end = follow(directory, options, output, true);
  if (holder !== undefined) {
    const requests = endRequests();
    await waitUntil(() => !stillRuns(holder), {
      timeoutMs: Number.POSITIVE_INFINITY,
      everyMs: 250,
      signal: requests.first,
    });
    requests.done();
  }
  end();
};
