import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createDestination, createEventSubscription } from '@stanza/contracts';
import type { World } from '../../kit/stack.ts';
import { waitFor } from '../../kit/wait.ts';
import type { BenchStack } from '../on-stack.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { channelOf, newSender, type Sender, SenderClient } from '../sender.ts';
import { type Round, rowOf, timesOf } from './sides.ts';

/** Destinations of the other organization, and the milliseconds that each takes. */
const slow = { full: { destinations: 18, ms: 20_000 }, check: { destinations: 2, ms: 500 } } as const;
/** Its messages, each of which is told to all of its destinations. */
const busyMessages = { full: 20, check: 2 } as const;
const rounds = { full: 3, check: 1 } as const;
/** Messages of the neighbour in a round, one after the other, each told to its one destination. */
const messages = { full: 60, check: 3 } as const;

/** Listens on this machine, and answers how to reach it. */
const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
};

/** A receiver that keeps each request for a while, until it is told to be quick. */
class SlowReceiver {
  readonly server = createServer((request, response) => {
    request.resume();
    if (this.isQuick) return response.end();
    this.kept.add(response);
    return void pause(this.#ms).then(() => this.#answer(response));
  });
  readonly kept = new Set<ServerResponse>();
  isQuick = false;
  readonly #ms: number;

  constructor(ms: number) {
    this.#ms = ms;
  }

  #answer(response: ServerResponse): void {
    this.kept.delete(response);
    response.end();
  }

  /** Answers all that it keeps. */
  hurry(): void {
    this.isQuick = true;
    for (const response of this.kept) this.#answer(response);
  }
}

/** Tells destinations at these paths of each message that is sent. */
const tell = async (world: World, { key }: Sender, base: string, destinations: number): Promise<void> => {
  const api = world.api.with(key);
  for (let at = 0; at < destinations; at += 1) {
    const body = { name: `Destination ${at}`, url: `${base}/${at}` };
    const { id } = await api.ok(createDestination, { body });
    await api.ok(createEventSubscription, { body: { destination_id: id, types: ['message.sent'] } });
  }
};

/** The milliseconds from a send to the arrival of its event. */
const arrivalOf = async (server: Server, send: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  const arrived = once(server, 'request');
  await Promise.all([arrived, send()]);
  return performance.now() - begun;
};

/** A neighbour's deliveries next to those to many slow destinations. */
export const deliveryRow = async ({ stack, world }: BenchStack, mode: BenchMode): Promise<BenchRow> => {
  const many = slow[mode];
  const client = new SenderClient(stack.info.base_url, 16);
  const [busy, neighbour] = [await newSender(world), await newSender(world)];
  const receiver = new SlowReceiver(many.ms);
  const own = createServer((request, response) => {
    request.resume();
    response.end();
  });
  let next = 0;
  const timed = () => arrivalOf(own, () => client.send(neighbour, channelOf(next++)));
  try {
    await tell(world, busy, await listening(receiver.server), many.destinations);
    await tell(world, neighbour, await listening(own), 1);
    await timesOf(messages[mode] / 3, timed);
    const measured: Round[] = [];
    for (let round = 0; round < rounds[mode]; round += 1) {
      const alone = await timesOf(messages[mode], timed);
      receiver.isQuick = false;
      for (let at = 0; at < busyMessages[mode]; at += 1) await client.send(busy, channelOf(at));
      await waitFor('the slow destinations to be asked', () => receiver.kept.size > 0);
      const beside = await timesOf(messages[mode], timed);
      measured.push({ alone, beside });
      receiver.hurry();
      // What waits is delivered quickly now, and is gone before the next round.
      await pause(mode === 'full' ? 10_000 : 0);
    }
    return rowOf(measured, {
      what: `a neighbour's p99 of a delivery beside ${many.destinations} destinations that take ${many.ms / 1_000} s`,
      peer: 'alone',
    });
  } finally {
    await client.close();
    for (const server of [receiver.server, own]) {
      server.closeAllConnections();
      server.close();
    }
  }
};
