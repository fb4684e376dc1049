import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createQueue, createScheduledMessage, getCredits, pushEvents } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import { v7 } from 'uuid';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { foundIn, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const credits = 100;
/** Milliseconds after which windows and times end, all of them while the database is away. */
const dueMs = 6_000;
/** A message whose outcome could not be written is taken up after its time, and looked up then. */
const recoveryMs = 150_000;
const [digestChannel, scheduledChannel, slowChannel] = ['C1801', 'C1802', 'C1803'];

describe('Postgres, away for a while', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;
  let organization: TestOrganization;
  let api: Api;
  let templateId: string;

  beforeAll(async () => {
    own = await startOwnStack('database', { seed: false });
    ({ stack, world } = own);
    // Its connections break with all others, and are opened anew when they are needed.
    world.database.on('error', (error) => console.info(`a connection of the test: ${error.message}`));
    ({ organization, api } = await foundIn(world, { tier: 'enterprise', credits }));
    templateId = (await liveTemplate(api)).id;
  }, 120_000);

  afterAll(async () => {
    await own?.close();
  }, 60_000);

  const statusOf = async (channel: string): Promise<string | undefined> => {
    const { rows } = await world.database.query<{ status: string }>(
      'select status from delivery.messages where channel_id = $1',
      [channel],
    );
    return rows[0]?.status;
  };

  it(
    'is answered with 503; what was accepted before goes on once it is back, and is posted once',
    async () => {
      const target = { template_id: templateId };
      const policy = { mode: 'rolling_window', window_seconds: dueMs / 1_000 };
      const { id: queue } = await api.ok(createQueue, {
        body: { name: 'Deploys', ...policy, ...target, channel_id: digestChannel },
      });
      await api.ok(pushEvents, { params: { id: queue }, body: { events: [{ number: 1 }] } });
      const due = Date.now() + dueMs;
      const { id: schedule } = await api.ok(createScheduledMessage, {
        body: {
          ...target,
          data: {},
          channel_id: scheduledChannel,
          send_at: new Date(due).toISOString(),
          catch_up: true,
        },
      });
      const slow = {
        method: 'chat.postMessage',
        channel: slowChannel,
        mode: 'latency',
        value: 2_000,
        times: 1,
      };
      await world.sandbox.setFault(slow);
      const body = { ...target, data: {}, channel_id: slowChannel };
      const keyed = { headers: { 'idempotency-key': v7() } };
      const sending = api.post('/v1/templates/send', body, keyed);
      await waitFor('the post to begin', async () => (await statusOf(slowChannel)) === 'posting');

      await stack.process('postgres').stop();
      await waitFor('requests to be refused', async () => {
        const { status, body } = await api.get('/v1/templates');
        return status === 503 && Object(body).code === 'service_unavailable';
      });
      expect(await sending).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
      expect(await world.sandbox.messages(slowChannel)).toHaveLength(1);
      await waitFor('the times to have passed', () => Date.now() > due + 1_000);
      await stack.process('postgres').start();

      await waitFor(
        'the digest and the scheduled message',
        async () => {
          const batches = await api.get(`/v1/queues/${queue}/batches`);
          const message = await api.get(`/v1/scheduled-messages/${schedule}`);
          const { data: [batch] = [] } = Object(batches.body);
          return batch?.status === 'delivered' && Object(message.body).last_run?.status === 'sent';
        },
        recoveryMs,
      );
      // The platform had taken the post: it is found in the channel, and never made again.
      await waitFor('the post to be found', async () => (await statusOf(slowChannel)) === 'sent', recoveryMs);
      await waitFor(
        'credits to be settled',
        async () => {
          const { body } = await api.get(`/v1/credits/${organization.id}`);
          return Object(body).reserved === 0;
        },
        recoveryMs,
      );
      for (const channel of [digestChannel, scheduledChannel, slowChannel]) {
        expect([channel, (await world.sandbox.messages(channel)).length]).toEqual([channel, 1]);
      }
      const input = { params: { organization_id: organization.id } };
      // What was unknown for a while is not charged, though it is found.
      expect((await api.ok(getCredits, input)).balance).toBe(credits - 2);
      const again = await api.post('/v1/templates/send', body, keyed);
      expect(again).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
      expect(await world.sandbox.messages(slowChannel)).toHaveLength(1);
    },
    3 * recoveryMs,
  );
});
