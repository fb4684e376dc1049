import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createQueue, pushEvents } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { foundIn, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** Seconds for which the broker stands still; `BROKER_SECONDS=30` is the long form. Longer than the windows below. */
const seconds = Number(process.env.BROKER_SECONDS ?? 9);
const queues = 20;
const eventsOfPush = 10;

describe('a broker that stands still while windows of queues end', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;
  let organization: TestOrganization;
  let api: Api;

  beforeAll(async () => {
    const env = { STANZA_TIERS: JSON.stringify({ enterprise: { active_queues: queues + 1 } }) };
    own = await startOwnStack('broker', { seed: false, env });
    ({ stack, world } = own);
    ({ organization, api } = await foundIn(world, { tier: 'enterprise', credits: 1_000 }));
  });

  afterAll(async () => {
    await own?.close();
  });

  const statuses = async (): Promise<string[]> => {
    const { rows } = await world.database.query<{ status: string }>(
      'select status from queue_ingest.batches where organization_id = $1',
      [organization.id],
    );
    return rows.map((it) => it.status);
  };

  const eventsFor = (queue: string) =>
    Array.from({ length: eventsOfPush }, (_, at) => ({ id: `${queue} ${at}` }));

  /** Pushes the same events until they are taken, as a client does that is told to come again. */
  const pushUntilTaken = async (queue: string, events: object[]): Promise<number> => {
    for (let refusals = 0; ; refusals += 1) {
      const answer = await api.post(`/v1/queues/${queue}/events`, { events });
      if (answer.status === 200) return refusals;
      expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
      await pause(250);
    }
  };

  it('delays digests and loses none: batches close meanwhile, and each is delivered once when it goes on', async () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '{{event_count}} events' } }];
    const template_id = (await liveTemplate(api, blocks)).id;
    const ids: string[] = [];
    for (let at = 0; at < queues; at += 1) {
      const policy = { mode: 'rolling_window', window_seconds: 5, template_id };
      const body = { name: `Queue ${at}`, channel_id: `C${1_900 + at}`, ...policy };
      ids.push((await api.ok(createQueue, { body })).id);
    }
    const late = (
      await api.ok(createQueue, {
        body: { name: 'Late', mode: 'rolling_window', window_seconds: 5, template_id, channel_id: 'C1950' },
      })
    ).id;
    await Promise.all(
      ids.map((id) => api.ok(pushEvents, { params: { id }, body: { events: eventsFor(id) } })),
    );
    await stack.process('nats').freeze();
    const pushing = pushUntilTaken(late, eventsFor(late));
    await pause(seconds * 1_000);
    await waitFor('every batch to be closed while the broker stands still', async () =>
      (await statuses()).every((it) => it !== 'collecting'),
    );
    const meanwhile = await statuses();
    stack.process('nats').thaw();
    expect(meanwhile.filter((it) => it !== 'ready' && it !== 'delivering')).toEqual([]);
    expect(meanwhile).toHaveLength(queues);
    expect(await pushing).toBeGreaterThan(0);
    await waitFor('every batch to be delivered', async () => {
      const now = await statuses();
      return now.length === queues + 1 && now.every((it) => it === 'delivered');
    });
    for (const [at, id] of [...ids, late].entries()) {
      const posts = await world.sandbox.messages(id === late ? 'C1950' : `C${1_900 + at}`);
      expect(posts.map((it) => JSON.stringify(it.blocks))).toEqual([
        expect.stringContaining(`${eventsOfPush} events`),
      ]);
    }
  });
});
