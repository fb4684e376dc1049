import type { Surroundings } from '../caller.ts';
import { Stanza } from '../client.ts';
import type { StanzaOptions } from '../options.ts';

/** A key that no error may hold. */
export const secretKey = 'stz_live_secret';

/** What the scripted server does with one request. */
export type Step = Response | Error | 'silence' | ((request: Made) => Response);

/** A request as the scripted server got it. */
export interface Made {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** An answer with JSON. */
export const json = (status: number, content: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(content, { status, headers: { 'x-request-id': 'request-1', ...headers } });

/** An answer of failure. */
export const failing = (status: number, code: string, headers?: Record<string, string>): Response =>
  json(status, { code, error: `because of ${code}`, request_id: 'request-1' }, headers);

/** Ends when the signal does, as a request without an answer. */
const silence = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });

/** A client whose server answers by a script, and whose pauses take no time but are written down. */
export const scripted = (steps: readonly Step[], options: Partial<StanzaOptions> = {}) => {
  const made: Made[] = [];
  const pauses: number[] = [];
  let time = 0;
  const surroundings: Surroundings = {
    now: () => time,
    random: () => 0,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
      time += milliseconds;
    },
  };
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const signal = init.signal ?? new AbortController().signal;
    const { method = '' } = init;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const request = { url, method, headers: new Headers(init.headers), body, signal };
    made.push(request);
    const step = steps[made.length - 1];
    if (step === undefined) throw new Error(`the script has no step ${made.length}`);
    if (step === 'silence') return silence(signal);
    if (step instanceof Error) throw step;
    return step instanceof Response ? step.clone() : step(request);
  };
  const stanza = new Stanza(
    { url: 'https://stanza.test/', key: secretKey, fetch: send, ...options },
    surroundings,
  );
  return { stanza, made, pauses };
};

/** What a call throws. */
export const thrownBy = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call has succeeded');
};
