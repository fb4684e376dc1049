import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createQueue, flushQueue, pushEvents } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import type { Api } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { foundIn, type World } from '../kit/stack.ts';
import { storedEvents } from '../kit/stored-events.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** Seconds of pushing; `QUEUE_SECONDS=20` is the long form. */
const seconds = Number(process.env.QUEUE_SECONDS ?? 6);
const clients = 32;
const queues = 200;
const eventsOfPush = 100;
const killEveryMs = 3_000;

/** The tier of the test: as many queues as it needs, and no cap that it would meet. */
const tiers = JSON.stringify({ enterprise: { active_queues: queues + 1, events_per_day: 1_000_000_000 } });

interface Pushing {
  api: Api;
  /** Half of the pushes go to the first. */
  queues: string[];
  stop: { now: boolean };
  accepted: number;
  refused: Map<string, number>;
}

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** Pushes one body until it is answered 200; its events have ids, so that a repeat adds nothing. */
const pushUntilTaken = async (pushing: Pushing, queue: string, events: object[]): Promise<void> => {
  for (;;) {
    try {
      const answer = await pushing.api.post(`/v1/queues/${queue}/events`, { events });
      if (answer.status === 200) {
        expect(new Set(pushEvents.reply.parse(answer.body).event_ids).size).toBe(events.length);
        pushing.accepted += events.length;
        return;
      }
      expect(answer.status).toBe(503);
      count(pushing.refused, String(Object(answer.body).code));
    } catch (error) {
      if (Object(error).name !== 'TypeError') throw error;
      count(pushing.refused, 'broken connection');
    }
    // What a client that is told to wait a second does, only sooner.
    await pause(50);
  }
};

const pushUntilStopped = async (pushing: Pushing, client: number): Promise<void> => {
  for (let push = 0; !pushing.stop.now; push += 1) {
    const at = push % 2 === 0 ? 0 : 1 + ((push * clients + client) % queues);
    const events = Array.from({ length: eventsOfPush }, (_, event) => ({ id: `${client}-${push}-${event}` }));
    await pushUntilTaken(pushing, pushing.queues[at] ?? '', events);
  }
};

describe('kill -9 of queue-ingest under pushes to one hot queue and to 200 others', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;
  let api: Api;
  let organizationId: string;

  beforeAll(async () => {
    own = await startOwnStack('queues', {
      seed: false,
      replicas: { 'queue-ingest': 2 },
      env: { STANZA_TIERS: tiers },
    });
    ({ stack, world } = own);
    const founded = await foundIn(world, { tier: 'enterprise', credits: 100_000 });
    api = founded.api;
    organizationId = founded.organization.id;
  });

  afterAll(async () => {
    await own?.close();
  });

  /** The figures that must agree, straight from the tables. */
  const figures = async () => {
    const { rows } = await world.database.query<{
      delivered: string;
      batches: string;
      open: string;
    }>(
      `select
         (select coalesce(sum(event_count), 0) from queue_ingest.batches
          where organization_id = $1 and status = 'delivered') as delivered,
         (select count(*) from queue_ingest.batches where organization_id = $1) as batches,
         (select count(*) from queue_ingest.batches
          where organization_id = $1 and status <> 'delivered') as open`,
      [organizationId],
    );
    const row = rows[0] ?? { delivered: 0, batches: 0, open: 0 };
    const events = await storedEvents(world.database, [organizationId]);
    return {
      stored: events.length,
      ids: new Set(events.map((it) => it.id)).size,
      delivered: Number(row.delivered),
      batches: Number(row.batches),
      open: Number(row.open),
    };
  };

  const killInTurn = async (stop: { now: boolean }): Promise<number> => {
    const replicas = stack.processes.filter((it) => it.startsWith('queue-ingest'));
    let kills = 0;
    for (; !stop.now; kills += 1) {
      await pause(killEveryMs);
      stack.kill(replicas[kills % replicas.length] ?? '', 'SIGKILL');
    }
    return kills;
  };

  it('accepts, stores and delivers each event once', async () => {
    const template = await liveTemplate(api, [
      { type: 'section', text: { type: 'mrkdwn', text: '{{event_count}} events in {{queue.name}}' } },
    ]);
    const ids: string[] = [];
    for (let at = 0; at <= queues; at += 1) {
      const policy = { mode: 'rolling_window', window_seconds: 60, template_id: template.id };
      const body = { name: `Queue ${at}`, channel_id: `C${1_000 + at}`, ...policy };
      ids.push((await api.ok(createQueue, { body })).id);
    }
    const stop = { now: false };
    const pushing: Pushing = { api, queues: ids, stop, accepted: 0, refused: new Map() };
    const pushes = Array.from({ length: clients }, (_, client) => pushUntilStopped(pushing, client));
    const killing = killInTurn(stop);
    await pause(seconds * 1_000);
    stop.now = true;
    await Promise.all(pushes);
    const kills = await killing;
    await stack.whenReady();
    for (const id of ids) await api.ok(flushQueue, { params: { id } });
    const last = await waitFor('every batch to be delivered', async () => {
      const now = await figures();
      return now.open === 0 && now;
    });
    const rate = Math.round(pushing.accepted / seconds);
    const refused = JSON.stringify(Object.fromEntries(pushing.refused));
    process.stdout.write(
      `    ${pushing.accepted} events accepted (${rate} a second), ${last.batches} batches, ${kills} kills, refused: ${refused}\n`,
    );
    expect(kills).toBeGreaterThan(0);
    expect(last).toMatchObject({
      stored: pushing.accepted,
      ids: pushing.accepted,
      delivered: pushing.accepted,
    });
    const posts = await fetch(`${stack.info.sandbox_url}/control/messages`);
    const keys = Array.from(Object(await posts.json()), (it) => String(Object(it).key));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toHaveLength(last.batches ?? 0);
  });
});
