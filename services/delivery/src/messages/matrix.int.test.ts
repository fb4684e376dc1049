import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newContext, Tenant } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import {
  anotherProcess,
  connected,
  type Misbehaviour,
  newChannel,
  openWorld,
  rowsOf,
  send,
  sendToMany,
  settlementsOf,
  type World,
} from '../testing/world.ts';
import type { PlaceOrder } from './deferred.ts';
import { createDeferredSender } from './jobs/deferred-sends.ts';
import type { DeferredOrigin, MessageOrigin } from './message-tables.ts';
import { deferSend } from './store/deferred-sends.ts';

const method = 'chat.postMessage';

/** What is seen of a message. */
interface Seen {
  status: string | undefined;
  charged: boolean | undefined;
  posts: number;
}

const sent: Seen = { status: 'sent', charged: true, posts: 1 };
const failed: Seen = { status: 'failed', charged: false, posts: 0 };
const unknown: Seen = { status: 'unknown', charged: false, posts: 0 };
/** Nobody waits for it, so it is tried again later. */
const waiting: Seen = { status: 'accepted', charged: undefined, posts: 0 };

type Fault = Omit<Misbehaviour, 'method' | 'channel'> & { method?: string };

/** What the platform does, and what becomes of a message of a request, and of one that nobody waits for. */
const rows: Record<string, { faults: Fault[]; asked: Seen; deferred?: Seen }> = {
  'takes it': { faults: [], asked: sent },
  'says no': { faults: [{ mode: 'error', value: 'not_in_channel' }], asked: failed },
  'says that its workspace is gone': {
    faults: [{ mode: 'error', value: 'account_inactive' }],
    asked: failed,
  },
  'says that it broke': { faults: [{ mode: 'error', value: 'internal_error' }], asked: unknown },
  'answers 500': { faults: [{ mode: 'status', value: 500 }], asked: unknown },
  'resets before it takes it': { faults: [{ mode: 'reset_before' }], asked: unknown },
  'resets after it took it': { faults: [{ mode: 'reset_after' }], asked: sent },
  'says nothing and did not take it': { faults: [{ mode: 'silence_before' }], asked: unknown },
  'says nothing and took it': { faults: [{ mode: 'silence_after' }], asked: sent },
  'took it, and history cannot be read': {
    faults: [
      { mode: 'reset_after' },
      { method: 'conversations.history', mode: 'error', value: 'missing_scope' },
    ],
    asked: { ...unknown, posts: 1 },
  },
  'asks to wait a second': { faults: [{ mode: 'rate_limited', value: 1, times: 1 }], asked: sent },
  'asks to wait a minute': {
    faults: [{ mode: 'rate_limited', value: 60 }],
    asked: failed,
    deferred: waiting,
  },
  'asks to wait and not how long': {
    faults: [{ mode: 'rate_limited' }],
    asked: failed,
    deferred: waiting,
  },
};

describe('a message is posted once at most, whatever the platform does', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** A message that someone wants in a channel of its own. */
  interface Wanted {
    principal: Principal;
    channel: string;
    operationId: string;
  }

  const contextOf = ({ principal, operationId }: Wanted) => ({
    ...newContext({ deadlineMs: 14_000, principal }),
    operationId,
  });

  /** Hands over what nobody waits for, and sends what is due. */
  const sendDue = async (
    dependencies: Dependencies,
    origin: DeferredOrigin,
    wanted: readonly Wanted[],
  ): Promise<void> => {
    for (const { principal, operationId } of wanted) {
      await dependencies.database.transaction((tx) =>
        deferSend(Tenant.of(principal), tx, { operationId, origin, originId: uuidv7(), patienceMs: 60_000 }),
      );
    }
    const order: PlaceOrder = async (row, facts) => ({
      ...facts,
      actorId: 'test',
      origin,
      originId: row.origin_id,
      compilation: { template_id: uuidv7(), data: {} },
      recipient: { channel_id: wanted.find((it) => it.operationId === row.operation_id)?.channel ?? '' },
      threadTs: null,
    });
    const sender = createDeferredSender(dependencies, { batch: order, schedule: order });
    await sender.begin();
    await sender.settled();
  };

  /** Asks for messages; what is answered does not matter here. */
  const ask = async (
    dependencies: Dependencies,
    origin: MessageOrigin,
    wanted: readonly Wanted[],
  ): Promise<void> => {
    if (origin === 'batch' || origin === 'schedule') return sendDue(dependencies, origin, wanted);
    const asked = wanted.map((it) => {
      const { principal, channel: channel_id } = it;
      if (origin === 'send') return send(dependencies, principal, { channel_id }, contextOf(it));
      const destinations = [{ channel_id }, { channel_id: 'C0ARCHIVED' }];
      return sendToMany(dependencies, principal, { destinations }, contextOf(it));
    });
    await Promise.allSettled(asked);
  };

  const see = async ({ principal, channel }: Wanted): Promise<Seen> => {
    const row = (await rowsOf(world, principal)).find((it) => it.channel_id === channel);
    const settled = (await settlementsOf(world, principal)).flatMap((it) => it.items);
    return {
      status: row?.status,
      charged: settled.find((it) => it.message_id === row?.id)?.charged,
      posts: (await world.posts(row?.id ?? '')).length,
    };
  };

  /** Asks for a message amid the faults of each row, all at one time, and for all of them once more. */
  const deliver = async (
    origin: MessageOrigin,
    faults: readonly Fault[][],
    dependencies: Dependencies = world,
  ): Promise<Seen[]> => {
    const wanted: Wanted[] = [];
    for (const some of faults) {
      const channel = newChannel();
      wanted.push({ principal: await connected(world), channel, operationId: uuidv7() });
      for (const fault of some) await world.misbehave({ method, channel, ...fault });
    }
    await ask(dependencies, origin, wanted);
    const seen = await Promise.all(wanted.map(see));
    await ask(dependencies, origin, wanted);
    expect(await Promise.all(wanted.map(see))).toEqual(seen);
    return seen;
  };

  /** A server before the platform that hands everything on, and answers each post with 502. */
  const losing = async (): Promise<{ dependencies: Dependencies; close: () => Promise<void> }> => {
    const server: Server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { host: _, connection: __, ...headers } = request.headers;
      const answer = await fetch(`${world.sandbox.url}${request.url}`, {
        method: 'POST',
        headers: {
          authorization: headers.authorization ?? '',
          'content-type': headers['content-type'] ?? '',
        },
        body: Buffer.concat(chunks),
      });
      const text = await answer.text();
      response.writeHead(request.url?.endsWith(method) ? 502 : answer.status).end(text);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const dependencies = anotherProcess(world, { apiUrl: `http://127.0.0.1:${port}/api/` });
    return {
      dependencies,
      close: async () => {
        await dependencies.chat.close();
        server.close();
      },
    };
  };

  const origins: MessageOrigin[] = ['send', 'bulk', 'batch', 'schedule'];

  it.each(origins)('as it came by %s', async (origin) => {
    const isDeferred = origin === 'batch' || origin === 'schedule';
    const all = Object.entries(rows);
    const seen = await deliver(
      origin,
      all.map(([, { faults }]) => faults),
    );
    expect(all.map(([name], index) => [name, seen[index]])).toEqual(
      all.map(([name, { asked, deferred }]) => [name, isDeferred ? (deferred ?? asked) : asked]),
    );
  });

  it.each(origins)(
    'also when something on the way answers 502 after it was taken, by %s: it is found by its key',
    async (origin) => {
      const { dependencies, close } = await losing();
      expect(await deliver(origin, [[]], dependencies)).toEqual([sent]);
      await close();
    },
  );
});
