import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { StackDirectory } from '../directory.ts';
import { asFailure, StackFailure } from '../failure.ts';
import { type Progress, reportingProgress, type StepReport, stepLine } from '../progress.ts';
import { projectRoot, scriptPath } from '../project.ts';
import type { StackOptions } from '../stack-options.ts';

const messageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('step'),
    name: z.string(),
    ok: z.boolean(),
    detail: z.string(),
    seconds: z.number(),
  }),
  z.object({ type: z.literal('said'), text: z.string() }),
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), what: z.string(), advice: z.string() }),
]);

type Message = z.output<typeof messageSchema>;

/** Starts a supervisor that outlives this process; shows its progress and returns when the stack is ready. */
export const startInBackground = async (
  { port, small = false }: Pick<StackOptions, 'port' | 'small'>,
  directory: StackDirectory,
  progress: Progress,
): Promise<void> => {
  const logFile = join(directory.logs, 'stack.log');
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(
    process.execPath,
    [
      ...process.execArgv,
      scriptPath('cli'),
      'supervise',
      '--port',
      String(port),
      ...(small ? ['--small'] : []),
    ],
    {
      cwd: projectRoot,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    },
  );
  closeSync(log);
  try {
    await progress.step('Ready', untilReady(child, progress, logFile));
  } finally {
    if (child.connected) child.disconnect();
    child.unref();
  }
};

const untilReady = (child: ChildProcess, progress: Progress, logFile: string): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new StackFailure(`The start ended with ${signal ?? `code ${code}`}.`, `Read ${logFile}.`)),
    );
    child.on('message', (received) => {
      const message = messageSchema.parse(received);
      if (message.type === 'step') progress.say(stepLine(message));
      if (message.type === 'said') progress.say(message.text);
      if (message.type === 'ready') resolve();
      if (message.type === 'failed') reject(new StackFailure(message.what, message.advice));
    });
  });

/** The messages of a supervisor in the background to the process that started it. */
export interface Parent {
  progress: Progress;
  ready: () => void;
  failed: (error: unknown) => void;
}

/** Sends reports to the parent while it listens, and writes them to this process's output. */
export const reportToParent = (): Parent => {
  const tell = (message: Message): void => {
    if (process.connected) process.send?.(message);
  };
  const onReport = (report: StepReport): void => {
    console.log(stepLine(report));
    tell({ type: 'step', ...report });
  };
  const onSay = (text: string): void => {
    console.log(text);
    tell({ type: 'said', text });
  };
  return {
    progress: reportingProgress(onReport, onSay),
    ready: () => tell({ type: 'ready' }),
    failed: (error) => {
      console.error(error);
      const { message, advice } = asFailure(error);
      tell({ type: 'failed', what: message, advice });
    },
  };
};
