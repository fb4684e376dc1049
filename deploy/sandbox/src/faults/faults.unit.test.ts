import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { rejection, type StartedSandbox, startedSandbox } from '../testing/started-sandbox.ts';

let sandbox: StartedSandbox;
/** Pauses of the sandbox, milliseconds, and their resolvers. */
let pauses: number[];
let paused: PromiseWithResolvers<void>;
beforeEach(async () => {
  pauses = [];
  paused = Promise.withResolvers();
  const pause = (milliseconds: number) => {
    pauses.push(milliseconds);
    return paused.promise;
  };
  sandbox = await startedSandbox({ pause });
});
afterEach(() => sandbox.close());

const method = 'chat.postMessage';
const post = (channel = 'C0GENERAL', timeout = 0) =>
  sandbox.client(undefined, timeout).chat.postMessage({ channel, text: 'hi' });
const outcomes = async () => (await sandbox.calls()).map(({ outcome }) => outcome);
/** Waits until the sandbox has finished a call; its caller may have timed out before. */
const dealtWith = async (outcome: string) => {
  while (!(await outcomes()).includes(outcome)) await new Promise(setImmediate);
};

const requestError = (message: RegExp) =>
  expect.objectContaining({
    code: 'slack_webapi_request_error',
    message: expect.stringMatching(message),
  });
const lostConnection = requestError(/fetch failed/);
const timedOut = requestError(/timeout/);

/**
 * Posts over a bare socket and returns how the connection ended: an error's code, or `end` when it was closed in order.
 */
function connectionEnd(): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const { host, hostname, port } = new URL(sandbox.url);
  const head = [`POST /api/${method} HTTP/1.1`, `Host: ${host}`, 'Content-Length: 0', '', ''];
  const socket = connect(Number(port), hostname, () => socket.write(head.join('\r\n')));
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  socket.on('end', () => resolve('end'));
  return promise;
}

describe('a fault', () => {
  it('delays the answer by its latency', async () => {
    await sandbox.misbehave({ method, channel: 'C0ALERTS', mode: 'latency', value: 80 });
    const late = post('C0ALERTS');
    await dealtWith('in_progress');
    while (pauses.length === 0) await sandbox.calls();
    expect(pauses).toEqual([80]);
    expect(await post('C0GENERAL')).toMatchObject({ ok: true });
    expect(await outcomes()).toEqual(expect.arrayContaining(['ok', 'in_progress']));
    paused.resolve();
    expect(await late).toMatchObject({ ok: true });
    expect(await outcomes()).toEqual(['ok', 'ok']);
  });

  it('answers an HTTP status and posts nothing', async () => {
    await sandbox.misbehave({ method, mode: 'status', value: 503 });
    expect(await rejection(post())).toMatchObject({ statusCode: 503 });
    expect(await sandbox.messages()).toEqual([]);
    expect(await outcomes()).toEqual(['status_503']);
  });

  it('rate-limits with the seconds to wait', async () => {
    await sandbox.misbehave({ method, mode: 'rate_limited', value: 7 });
    const error = await rejection(post());
    expect(error).toBeInstanceOf(WebAPIRateLimitedError);
    expect(error).toMatchObject({ retryAfter: 7 });
    expect(await outcomes()).toEqual(['rate_limited']);
  });

  it('rate-limits without saying for how long', async () => {
    await sandbox.misbehave({ method, mode: 'rate_limited' });
    const response = await fetch(`${sandbox.url}/api/${method}`, { method: 'POST' });
    expect(response.status).toBe(429);
    expect(response.headers.has('retry-after')).toBe(false);
    expect(await response.json()).toEqual({ ok: false, error: 'ratelimited' });
  });

  it('answers a platform error and posts nothing', async () => {
    await sandbox.misbehave({ method, mode: 'error', value: 'fatal_error' });
    expect(await rejection(post())).toMatchObject({ data: { error: 'fatal_error' } });
    expect(await sandbox.messages()).toEqual([]);
    expect(await outcomes()).toEqual(['fatal_error']);
  });

  it('resets the connection before the post is accepted', async () => {
    await sandbox.misbehave({ method, mode: 'reset_before' });
    expect(await rejection(post())).toEqual(lostConnection);
    expect(await sandbox.messages()).toEqual([]);
    expect(await outcomes()).toEqual(['reset_before']);
  });

  it('resets the connection after the post was accepted', async () => {
    await sandbox.misbehave({ method, mode: 'reset_after' });
    expect(await rejection(post())).toEqual(lostConnection);
    expect(await sandbox.messages()).toHaveLength(1);
    expect(await outcomes()).toEqual(['reset_after']);
  });

  it('resets by TCP, so that a caller sees no orderly end', async () => {
    await sandbox.misbehave({ method, mode: 'reset_before', times: 1 });
    expect(await connectionEnd()).toBe('ECONNRESET');
    await sandbox.misbehave({ method, mode: 'reset_after' });
    expect(await connectionEnd()).toBe('ECONNRESET');
  });

  it('stays silent before the post is accepted', async () => {
    await sandbox.misbehave({ method, mode: 'silence_before' });
    expect(await rejection(post('C0GENERAL', 60))).toEqual(timedOut);
    await dealtWith('silence_before');
    expect(await sandbox.messages()).toEqual([]);
  });

  it('stays silent after the post was accepted', async () => {
    await sandbox.misbehave({ method, mode: 'silence_after' });
    expect(await rejection(post('C0GENERAL', 60))).toEqual(timedOut);
    await dealtWith('silence_after');
    expect(await sandbox.messages()).toHaveLength(1);
  });

  it('affects other methods too', async () => {
    await sandbox.misbehave({ method: 'users.lookupByEmail', mode: 'reset_after' });
    const lookup = sandbox.client().users.lookupByEmail({ email: 'ada@example.com' });
    expect(await rejection(lookup)).toEqual(lostConnection);
    expect(await post()).toMatchObject({ ok: true });
  });

  it('leaves other channels alone, and knows a direct message by its person', async () => {
    await sandbox.misbehave({ method, channel: 'C0ALERTS', mode: 'error', value: 'fatal_error' });
    await sandbox.misbehave({ method, channel: 'D0ADA', mode: 'error', value: 'restricted_action' });
    expect(await post('C0GENERAL')).toMatchObject({ ok: true });
    expect(await rejection(post('C0ALERTS'))).toMatchObject({ data: { error: 'fatal_error' } });
    expect(await rejection(post('U0ADA'))).toMatchObject({ data: { error: 'restricted_action' } });
  });

  it('ends after its number of calls, and the next fault follows', async () => {
    await sandbox.misbehave({ method, mode: 'error', value: 'fatal_error', times: 2 });
    await sandbox.misbehave({ method, mode: 'status', value: 500, times: 1 });
    expect(await rejection(post())).toMatchObject({ data: { error: 'fatal_error' } });
    expect(await rejection(post())).toMatchObject({ data: { error: 'fatal_error' } });
    expect(await rejection(post())).toMatchObject({ statusCode: 500 });
    expect(await post()).toMatchObject({ ok: true });
  });

  it('stays until it is deleted when no number of calls is given', async () => {
    await sandbox.misbehave({ method, mode: 'error', value: 'fatal_error' });
    await rejection(post());
    await rejection(post());
    await fetch(`${sandbox.url}/control/faults`, { method: 'DELETE' });
    expect(await post()).toMatchObject({ ok: true });
  });
});
