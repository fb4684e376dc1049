import { type Logger, LogLevel, WebClient } from '@slack/web-api';
import type { PresentedMessage } from '../control/present-message.ts';
import type { Fault, FaultInput } from '../faults/fault.ts';
import { type SandboxOptions, startSandbox } from '../sandbox.ts';
import type { CallRecord } from '../world/call-log.ts';

/** The client logs each refusal, which most tests provoke. */
const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setLevel: () => undefined,
  setName: () => undefined,
};

/** A sandbox of one test, with its clients. */
export interface StartedSandbox {
  readonly url: string;
  /** The platform's official client, set to one attempt a call; workspace `acme` unless another token is given. */
  client(token?: string, timeout?: number): WebClient;
  messages(query?: string): Promise<PresentedMessage[]>;
  calls(): Promise<CallRecord[]>;
  misbehave(fault: FaultInput): Promise<Fault>;
  close(): Promise<void>;
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  const body: T = JSON.parse(text);
  return body;
}

/** Starts a sandbox on a free port. */
export async function startedSandbox(options: SandboxOptions = {}): Promise<StartedSandbox> {
  const { url, close } = await startSandbox(options);
  return {
    url,
    close,
    client: (token = 'xoxb-sandbox-acme', timeout = 0) =>
      new WebClient(token, {
        slackApiUrl: `${url}/api/`,
        logger: silent,
        timeout,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        allowAbsoluteUrls: false,
      }),
    messages: async (query = '') => read(await fetch(`${url}/control/messages${query}`)),
    calls: async () => read(await fetch(`${url}/control/calls`)),
    misbehave: async (fault) =>
      read(await fetch(`${url}/control/faults`, { method: 'POST', body: JSON.stringify(fault) })),
  };
}

/** The reason with which a call was rejected; throws when it was not. */
export async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call was answered');
}
