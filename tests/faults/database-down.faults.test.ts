import { beforeAll, describe, expect, it } from '@jest/globals';
import { createQueue, createScheduledMessage, getCredits, pushEvents } from '@stanza/contracts';
import { v7 } from 'uuid';
import { startOwnStackWith } from '../kit/own-stack.ts';
import { sharedByTests } from '../kit/shared.ts';
import { withLiveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const credits = 100;
/** Milliseconds after which windows and times end, all of them while the database is away. */
const dueMs = 6_000;
const [digestChannel, scheduledChannel, slowChannel] = ['C1801', 'C1802', 'C1803'];

describe('Postgres, away for a while', () => {
  const own = sharedByTests(() =>
    withLiveTemplate(startOwnStackWith('database', { tier: 'enterprise', credits })),
  );

  beforeAll(async () => {
    // Its connections break with all others, and are opened again when they are needed.
    own().world.database.on('error', (error) => console.info(`a connection of the test: ${error.message}`));
  });

  const statusOf = async (channel: string): Promise<string | undefined> => {
    const { rows } = await own().world.database.query<{ status: string }>(
      'select status from delivery.messages where channel_id = $1',
      [channel],
    );
    return rows[0]?.status;
  };

  it('is answered with 503; what was accepted before goes on once it is back, and is posted once', async () => {
    const target = { template_id: own().template.id };
    const policy = { mode: 'rolling_window', window_seconds: dueMs / 1_000 };
    const { id: queue } = await own().api.ok(createQueue, {
      body: { name: 'Deploys', ...policy, ...target, channel_id: digestChannel },
    });
    await own().api.ok(pushEvents, { params: { id: queue }, body: { events: [{ number: 1 }] } });
    const due = Date.now() + dueMs;
    const { id: schedule } = await own().api.ok(createScheduledMessage, {
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
    await own().world.sandbox.setFault(slow);
    const body = { ...target, data: {}, channel_id: slowChannel };
    const keyed = { headers: { 'idempotency-key': v7() } };
    const sending = own().api.post('/v1/templates/send', body, keyed);
    await waitFor('the post to begin', async () => (await statusOf(slowChannel)) === 'posting');

    await own().stack.process('postgres').stop();
    await waitFor('requests to be refused', async () => {
      const { status, body } = await own().api.get('/v1/templates');
      return status === 503 && Object(body).code === 'service_unavailable';
    });
    expect(await sending).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(await own().world.sandbox.messages(slowChannel)).toHaveLength(1);
    await waitFor('the times to have passed', () => Date.now() > due + 1_000);
    await own().stack.process('postgres').start();

    await waitFor('the digest and the scheduled message', async () => {
      const batches = await own().api.get(`/v1/queues/${queue}/batches`);
      const message = await own().api.get(`/v1/scheduled-messages/${schedule}`);
      const { data: [batch] = [] } = Object(batches.body);
      return batch?.status === 'delivered' && Object(message.body).last_run?.status === 'sent';
    });
    // The platform had taken the post: it is found in the channel, and never made again.
    await waitFor('the post to be found', async () => (await statusOf(slowChannel)) === 'sent');
    await waitFor('credits to be settled', async () => {
      const { body } = await own().api.get(`/v1/credits/${own().organization.id}`);
      return Object(body).reserved === 0;
    });
    for (const channel of [digestChannel, scheduledChannel, slowChannel]) {
      expect([channel, (await own().world.sandbox.messages(channel)).length]).toEqual([channel, 1]);
    }
    const input = { params: { organization_id: own().organization.id } };
    // What was unknown for a while is not charged, though it is found.
    expect((await own().api.ok(getCredits, input)).balance).toBe(credits - 2);
    // In progress for as long as the owner is busy and does not report it.
    const again = await waitFor('the outcome of the keyed send', async () => {
      const answer = await own().api.post('/v1/templates/send', body, keyed);
      return answer.status !== 409 && answer;
    });
    expect(again).toMatchObject({ status: 502, body: { code: 'delivery_outcome_unknown' } });
    expect(await own().world.sandbox.messages(slowChannel)).toHaveLength(1);
  });
});
