import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { startSandbox } from '@stanza/sandbox';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  anotherProcess,
  connected,
  type Misbehaviour,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  type SendBody,
  send,
  settlementsOf,
  shortDeadlineMs,
} from '../testing/world.ts';

const method = 'chat.postMessage';

type Fault = Omit<Misbehaviour, 'method'> & { method?: string };

/** A server that treats each connection in its own way, on a port of its own. */
const startServer = async (treat: (socket: Socket) => void): Promise<{ server: Server; port: number }> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    treat(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
};

describe('the outcome of a post', () => {
  const world = sharedByTests(openWorld);

  /** Sends to a channel of its own while the platform misbehaves there, and gathers what is to be seen of it. */
  const sendAmid = async (
    faults: Fault[],
    options: { body?: SendBody; deadlineMs?: number; dependencies?: Parameters<typeof send>[0] } = {},
  ) => {
    const principal = await connected(world());
    const channel = newChannel();
    for (const fault of faults) await world().misbehave({ method, channel, ...fault });
    const context = newContext({ deadlineMs: options.deadlineMs ?? shortDeadlineMs, principal });
    const body = options.body ?? { channel_id: channel };
    const [answer] = await Promise.allSettled([
      send(options.dependencies ?? world(), principal, body, context),
    ]);
    const [row] = await rowsOf(world(), principal);
    return {
      principal,
      context,
      body,
      channel,
      row,
      code: answer?.status === 'rejected' ? answer.reason.code : 'sent',
      error: answer?.status === 'rejected' ? answer.reason : undefined,
      outcomes: row?.attempts.map((it) => `${it.method} ${it.outcome}`),
      posts: await world().posts(row?.id ?? ''),
      settlements: (await settlementsOf(world(), principal)).flatMap((it) => it.items),
    };
  };

  const released = [{ item: 0, charged: false }];
  const charged = [{ item: 0, charged: true }];

  const refusals: [string, ErrorCode][] = [
    ['channel_not_found', 'invalid_destination'],
    ['not_in_channel', 'invalid_destination'],
    ['is_archived', 'invalid_destination'],
    ['restricted_action', 'invalid_destination'],
    ['restricted_action_thread_locked', 'invalid_destination'],
    ['user_not_found', 'chat_user_not_found'],
    ['user_disabled', 'chat_user_not_found'],
    ['token_revoked', 'chat_not_connected'],
    ['account_inactive', 'chat_not_connected'],
    ['missing_scope', 'chat_not_connected'],
    ['msg_blocks_too_long', 'chat_api_error'],
    ['team_added_to_org', 'chat_api_error'],
  ];

  it.each(refusals)('the platform says %s: failed with %s after one call, released', async (error, code) => {
    const seen = await sendAmid([{ mode: 'error', value: error }]);
    expect(seen).toMatchObject({ code, posts: [], settlements: released });
    expect(seen.row).toMatchObject({ status: 'failed', error: code, charged: false });
    expect(seen.row?.error_facts?.error_details).toBe(JSON.stringify(error));
    expect(seen.outcomes).toEqual([`${method} ${error}`]);
  });

  it.each(['internal_error', 'fatal_error', 'request_timeout', 'service_unavailable'])(
    'is unknown after the platform answered %s: released, never posted again',
    async (error) => {
      const seen = await sendAmid([{ mode: 'error', value: error }]);
      expect(seen).toMatchObject({ code: 'delivery_outcome_unknown', posts: [], settlements: released });
      expect(seen.row).toMatchObject({ status: 'unknown', charged: false });
      expect(seen.error.facts.details).toBe(seen.row?.id);
      expect(seen.outcomes?.filter((it) => it.startsWith(method))).toHaveLength(1);
    },
  );

  it.each<Fault>([
    { mode: 'status', value: 500 },
    { mode: 'status', value: 503 },
    { mode: 'status', value: 404 },
    { mode: 'reset_before' },
    { mode: 'silence_before' },
  ])('the answer is lost and the message was not accepted, by %j: unknown, released', async (fault) => {
    const seen = await sendAmid([fault]);
    expect(seen).toMatchObject({ code: 'delivery_outcome_unknown', posts: [], settlements: released });
    expect(seen.row).toMatchObject({ status: 'unknown', charged: false });
    expect(seen.row?.lookup_due_at).toBeInstanceOf(Date);
    expect(seen.outcomes?.filter((it) => it.startsWith(method))).toHaveLength(1);
  });

  it.each<Fault>([{ mode: 'reset_after' }, { mode: 'silence_after' }])(
    'the answer is lost after the message was accepted, by %j: found by its key, sent, charged, posted once',
    async (fault) => {
      const seen = await sendAmid([fault]);
      expect(seen).toMatchObject({ code: 'sent', settlements: charged });
      expect(seen.posts).toHaveLength(1);
      expect(seen.row).toMatchObject({ status: 'sent', charged: true, message_ts: seen.posts[0]?.ts });
    },
  );

  it('is found among the replies of a thread when the answer was lost', async () => {
    const channel = newChannel();
    await world().misbehave({ method, channel, mode: 'reset_after' });
    const body = { channel_id: channel, thread_ts: '1712345678.000100' };
    const seen = await sendAmid([], { body });
    expect(seen).toMatchObject({ settlements: charged, posts: [{ thread_ts: '1712345678.000100' }] });
    expect(seen.outcomes).toContain('conversations.replies ok');
  });

  it('is unknown when the answer was lost and history cannot be read: released, posted once', async () => {
    const seen = await sendAmid([
      { mode: 'reset_after' },
      { method: 'conversations.history', mode: 'error', value: 'missing_scope' },
    ]);
    expect(seen).toMatchObject({ code: 'delivery_outcome_unknown', settlements: released });
    expect(seen.posts).toHaveLength(1);
    expect(await refusalOf(send(world(), seen.principal, seen.body, seen.context))).toMatchObject({
      code: 'delivery_outcome_unknown',
      facts: { details: seen.row?.id },
    });
    expect(await world().posts(seen.row?.id ?? '')).toHaveLength(1);
  });

  it('waits after a 429 whose delay fits the deadline, and is sent once', async () => {
    const seen = await sendAmid([{ mode: 'rate_limited', value: 1, times: 1 }], { deadlineMs: 15_000 });
    expect(seen).toMatchObject({ code: 'sent', settlements: charged });
    expect(seen.posts).toHaveLength(1);
    expect(seen.outcomes).toEqual([`${method} rate_limited`, `${method} ok`]);
  });

  it.each<[Fault, number]>([
    [{ mode: 'rate_limited', value: 60 }, 60],
    [{ mode: 'rate_limited' }, 30],
    [{ mode: 'error', value: 'ratelimited' }, 30],
  ])('is rate_limited after %j, for %i seconds, uncharged', async (limit, seconds) => {
    const fault = { ...limit, times: 1 };
    const seen = await sendAmid([fault], { deadlineMs: 15_000 });
    expect(seen).toMatchObject({ code: 'rate_limited', posts: [], settlements: released });
    expect(seen.error.facts.retry_after).toBe(seconds);
    const next = refusalOf(send(world(), seen.principal, seen.body));
    expect(await next).toMatchObject({ code: 'rate_limited' });
  });

  it('is sent once by a retry when the connection was refused before a byte was written', async () => {
    const { server, port } = await startServer(() => undefined);
    server.close();
    await once(server, 'close');
    const dependencies = anotherProcess(world(), { apiUrl: `http://127.0.0.1:${port}/api/` });
    const isRefused = async () =>
      /^stanza_chat_calls_total\{.*outcome="not_sent".*\} [1-9]/m.test(
        await dependencies.metrics.registry.metrics(),
      );
    const late = async () => {
      while (!(await isRefused())) await new Promise(setImmediate);
      return startSandbox({ port });
    };
    const [seen, platform] = await Promise.all([sendAmid([], { deadlineMs: 15_000, dependencies }), late()]);
    await platform.close();
    expect(seen).toMatchObject({ code: 'sent', settlements: charged });
    expect(seen.outcomes?.at(0)).toBe(`${method} ECONNREFUSED`);
    expect(seen.outcomes?.at(-1)).toBe(`${method} ok`);
    await dependencies.chat.close();
  });

  const unreachable: [string, (port: number) => string, (socket: Socket) => void][] = [
    ['a name that does not resolve', () => 'http://chat.invalid/api/', () => undefined],
    ['no TLS at the other side', (port) => `https://127.0.0.1:${port}/api/`, (socket) => socket.end('what?')],
    [
      'a reset while TLS begins',
      (port) => `https://127.0.0.1:${port}/api/`,
      (socket) => socket.resetAndDestroy(),
    ],
    ['TLS that is never answered', (port) => `https://127.0.0.1:${port}/api/`, () => undefined],
  ];

  it.each(unreachable)('never reached, by %s: 503, failed, released', async (_, url, treat) => {
    const sockets = new Set<Socket>();
    const { server, port } = await startServer((socket) => {
      sockets.add(socket);
      treat(socket);
    });
    const dependencies = anotherProcess(world(), { apiUrl: url(port) });
    const seen = await sendAmid([], { dependencies });
    expect(seen).toMatchObject({ code: 'service_unavailable', settlements: released });
    expect(seen.row).toMatchObject({ status: 'failed', charged: false });
    for (const socket of sockets) socket.destroy();
    server.close();
    await dependencies.chat.close();
  });

  const cut: [string, string][] = [
    ['a page of HTML', 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>'],
    ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"ok":true,"ts":"1'],
    ['an answer without its parts', 'HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"ok":true}'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'],
    ['nothing but the end', ''],
  ];

  it.each(cut)('answered with %s: unknown, released, called once', async (_, bytes) => {
    let posts = 0;
    const { server, port } = await startServer((socket) => {
      socket.on('data', (data) => {
        if (data.includes('/chat.postMessage')) posts += 1;
        socket.end(bytes);
      });
    });
    const dependencies = anotherProcess(world(), { apiUrl: `http://127.0.0.1:${port}/api/` });
    const seen = await sendAmid([], { dependencies });
    expect(seen).toMatchObject({ code: 'delivery_outcome_unknown', settlements: released });
    expect(posts).toBe(1);
    server.close();
    await dependencies.chat.close();
  });

  const lookups: [SendBody, string, ErrorCode, Fault | undefined][] = [
    [{ recipient_email: 'nobody@example.com' }, 'users.lookupByEmail', 'chat_user_not_found', undefined],
    [{ recipient_chat_id: 'U0NOBODY' }, 'conversations.open', 'chat_user_not_found', undefined],
    [
      { recipient_chat_id: 'U1500' },
      'conversations.open',
      'chat_dm_failed',
      { mode: 'error', value: 'user_not_visible' },
    ],
    [
      { recipient_chat_id: 'U1501' },
      'conversations.open',
      'chat_not_connected',
      { mode: 'error', value: 'missing_scope' },
    ],
    [
      { recipient_email: 'user1502@example.com' },
      'users.lookupByEmail',
      'chat_not_connected',
      { mode: 'error', value: 'accesslimited' },
    ],
  ];

  it.each(lookups)('to %j, whom %s refuses: %s, nothing posted', async (body, lookup, code, fault) => {
    if (fault) await world().misbehave({ times: 1, ...fault, method: lookup });
    const seen = await sendAmid([], { body });
    expect(seen).toMatchObject({ code, posts: [], settlements: released });
    expect(seen.row).toMatchObject({ status: 'failed', error: code });
  });

  it.each<Fault>([
    { mode: 'status', value: 500 },
    { mode: 'reset_before' },
    { mode: 'error', value: 'internal_error' },
    { mode: 'rate_limited', value: 1 },
  ])('is sent after a lookup that failed with %j was retried', async (fault) => {
    await world().misbehave({ ...fault, method: 'users.lookupByEmail', times: 1 });
    const body = { recipient_email: 'grace@example.com' };
    const seen = await sendAmid([], { body, deadlineMs: 15_000 });
    expect(seen).toMatchObject({ code: 'sent', settlements: charged });
    expect(seen.posts).toHaveLength(1);
  });
});
