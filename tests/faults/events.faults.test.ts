import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDestination,
  createEventSubscription,
  getSigningSecret,
  publicEventTypes,
} from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import { type PublicEvent, verify } from '@stanza/sdk';
import type { Api } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { foundIn, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** Messages whose outcomes are told; `EVENT_MESSAGES=1000` is the long form. */
const messages = Number(process.env.EVENT_MESSAGES ?? 100);
/** Messages of one bulk send. */
const perBulk = 20;

/** One request that the receiver got, whatever it answered. */
interface Arrival {
  id: string;
  event: PublicEvent;
}

/** What a receiver does with the first attempt of a delivery, in turns; then it takes everything. */
const mishaps: ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(500).end(),
  (response) => response.destroy(),
  // It keeps the connection and says nothing, until the sender gives up.
  () => undefined,
  (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    response.destroy();
  },
];
/** Of this many deliveries, as many as there are mishaps meet one. */
const turns = 16;

describe('events while the receiver fails and delivery is killed', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;
  let api: Api;
  let organizationId: string;
  const arrivals: Arrival[] = [];
  const unsigned: string[] = [];
  const secrets: string[] = [];
  const seen = new Set<string>();
  /** Ids of the events that were answered with 2xx. */
  const taken = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    try {
      const signed = { headers: request.headers, body };
      const { id, payload: event } = await verify<PublicEvent>(signed, { secret: secrets });
      arrivals.push({ id, event });
      const mishap = seen.has(id) ? undefined : mishaps[seen.size % turns];
      seen.add(id);
      if (mishap) return mishap(response);
      taken.add(event.id);
      response.writeHead(204).end();
    } catch {
      unsigned.push(body.toString('utf8'));
      response.writeHead(401).end();
    }
  });

  beforeAll(async () => {
    own = await startOwnStack('events', { seed: false });
    ({ stack, world } = own);
    const found = await foundIn(world, { credits: messages * 2 });
    api = found.api;
    organizationId = found.organization.id;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await own?.close();
  });

  const subscribe = async (): Promise<void> => {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { id } = await api.ok(createDestination, {
      body: {
        name: 'Everything',
        url: `http://127.0.0.1:${port}/events`,
        retry_enabled: true,
        max_retries: 10,
        retry_strategy: 'fixed',
        retry_initial_delay_ms: 200,
        retry_max_delay_ms: 1_000,
        timeout_ms: 1_000,
      },
    });
    secrets.push((await api.ok(getSigningSecret, { params: { id } })).secret);
    await api.ok(createEventSubscription, { body: { destination_id: id, types: [...publicEventTypes] } });
  };
  /** Kills delivery once this many requests have arrived. */
  const killAfter = async (count: number): Promise<void> => {
    await waitFor(`${count} arrivals`, () => arrivals.length >= count);
    const { delivery: before } = stack.info.pids;
    stack.kill('delivery', 'SIGKILL');
    await waitFor(
      'another delivery',
      () => stack.info.pids.delivery !== before && stack.process('delivery').ready,
    );
  };
  const sendAll = async (): Promise<void> => {
    const { id: template_id } = await liveTemplate(api);
    for (let sent = 0; sent < messages; sent += perBulk) {
      // The last one is archived: its message fails.
      const destinations = Array.from({ length: perBulk }, (_, index) => ({
        channel_id: index === perBulk - 1 ? 'C0ARCHIVED' : `C${1_000 + ((sent + index) % 1_000)}`,
      }));
      // A bulk send whose delivery is killed is answered as unknown; its messages have outcomes all the same.
      await api.post('/v1/templates/send-bulk', { template_id, data: { service: 'api' }, destinations });
    }
  };
  const outcomes = async () => {
    const { rows } = await world.database.query<{ id: string; status: string }>(
      'select id, status from delivery.messages where organization_id = $1',
      [organizationId],
    );
    return rows;
  };
  const recorded = async () => {
    const { rows } = await world.database.query<{ id: string; type: string; subject: string }>(
      'select id, type, subject from delivery.events where organization_id = $1',
      [organizationId],
    );
    return rows;
  };

  it('arrive signed at least once, each under one id, one for each outcome', async () => {
    await subscribe();
    const kills = (async () => {
      await killAfter(Math.floor(messages / 4));
      await killAfter(Math.floor(messages / 2));
    })();
    await Promise.all([sendAll(), kills]);
    const ended = await waitFor('an outcome of each message', async () => {
      const rows = await outcomes();
      return rows.every(({ status }) => ['sent', 'failed', 'unknown'].includes(status)) && rows;
    });
    const events = await waitFor('each event to be taken', async () => {
      const rows = await recorded();
      return rows.every(({ id }) => taken.has(id)) && rows;
    });
    expect(ended.length).toBeGreaterThan(messages / 2);
    expect(unsigned).toEqual([]);
    for (const { id, status } of ended) {
      const own = events.filter(({ subject }) => subject === id).map(({ type }) => type);
      expect([id, own]).toEqual([id, expect.arrayContaining([`message.${status}`])]);
      expect(new Set(own).size).toBe(own.length);
    }
    // What arrived twice is the same delivery of the same event, to the byte of its content.
    const byEvent = Map.groupBy(arrivals, ({ event }) => event.id);
    expect(new Set(byEvent.keys())).toEqual(new Set(events.map(({ id }) => id)));
    for (const [id, [first, ...others]] of byEvent)
      for (const other of others) expect([id, other]).toEqual([id, first]);
    expect(arrivals.length).toBeGreaterThan(events.length);
  });
});
