import { StanzaError } from '@stanza/sdk';

/** How a command may end: 0 is success. */
export const exitCodes = { failure: 1, changes: 2, conflict: 3, drift: 4, interrupted: 130 } as const;

/** Why a command failed, and what to do about it. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
  readonly advice: string;
  /** What the command ends with. */
  readonly exitCode: number;

  constructor(message: string, advice: string, exitCode: number = exitCodes.failure) {
    super(message);
    this.advice = advice;
    this.exitCode = exitCode;
  }
}

/** An interrupt has ended the command before its next request. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('Interrupted.');
  }
}

/** Whether an error comes of an interrupt alone: of what was waited for, or of a request that was not made. */
const isInterrupt = (error: unknown): boolean => {
  if (error instanceof StanzaError) return error.code === 'aborted' || error.fault?.code === 'Interrupted';
  return error instanceof Error && ['Interrupted', 'AbortError'].includes(error.name);
};

/** Why `fetch` has no answer: its own words say no more than that it failed. */
export const faultIn = (error: unknown): string => {
  const { cause, message } = Object(error);
  const { code, message: said, cause: deeper } = Object(cause);
  const [, status] = /^Proxy response \((\d+)\)/.exec(String(Object(deeper).message)) ?? [];
  if (status !== undefined) return `the proxy on the way answered ${status}`;
  return said === 'bad port' ? '`fetch` does not connect to this port' : String(code ?? said ?? message);
};

/** What is told of an error, for programs. */
export interface ErrorReport {
  code: string;
  message: string;
  advice?: string;
  details?: string;
  /** The name of the chat platform's error, or the lines of `details` as JSON text. */
  error_details?: string;
  /** By which an operator finds the request. */
  request_id?: string;
  /** The address at which the gateway explains the code. */
  docs?: string;
}

/** What a call of the system was to do with a path. */
const fileCalls: Readonly<Record<string, string>> = {
  open: 'opened',
  stat: 'read',
  lstat: 'read',
  scandir: 'read',
  mkdir: 'made',
  rename: 'written',
  unlink: 'removed',
  rm: 'removed',
  rmdir: 'removed',
};

const adviceOnFiles: Readonly<Record<string, string>> = {
  EEXIST: 'A file stands there: move it away.',
  EACCES: 'Correct its rights, or those of its folder.',
  EPERM: 'Correct its rights, or those of its folder.',
  EROFS: 'Run the command where it may write.',
  ENOSPC: 'Make room on the disk.',
  ELOOP: 'Correct the link, which leads to itself.',
};

/** What the system refused to do with a file or folder; undefined where the error is of something else. */
const fileReportOf = (error: unknown): ErrorReport | undefined => {
  const { code, syscall, path } = Object(error);
  if (syscall === 'uv_cwd')
    return {
      code: 'command',
      message: 'The folder in which the command runs was deleted.',
      advice: 'Run it in a folder that exists.',
    };
  const call = fileCalls[syscall];
  if (call === undefined || typeof path !== 'string') return undefined;
  const advice = adviceOnFiles[code];
  return { code: 'command', message: `${path} cannot be ${call}: ${code}.`, ...(advice && { advice }) };
};

/** What is known of an error. */
export const errorReportOf = (error: unknown): ErrorReport => {
  if (isInterrupt(error)) return { code: 'interrupted', message: new Interrupted().message };
  if (error instanceof CommandProblem)
    return { code: 'command', message: error.message, advice: error.advice };
  if (error instanceof StanzaError) {
    const { code, text, details, errorDetails, requestId, docs } = error;
    return {
      code,
      message: `${code}: ${text}${requestId ? ` (request ${requestId})` : ''}`,
      ...(details && { details }),
      ...(errorDetails && { error_details: errorDetails }),
      ...(requestId && { request_id: requestId }),
      ...(docs && { docs }),
    };
  }
  return (
    fileReportOf(error) ?? {
      code: 'unexpected',
      message: error instanceof Error ? error.message : String(error),
    }
  );
};

/** What is printed of an error: of those of the API the request too, by which an operator finds it, and its page. */
export const textOf = (error: unknown): string => {
  const { message, advice, details, error_details, docs } = errorReportOf(error);
  return [message, details ?? error_details, advice, docs && `see ${docs}`].filter(Boolean).join('\n');
};
