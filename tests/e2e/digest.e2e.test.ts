import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createQueue, flushQueue, getBatch, getCredits, listBatches, pushEvents } from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** A headline and at most three of the events, then how many more there are. */
const channels = channelsOf('digest');

const digestBlocks = [
  { type: 'header', text: { type: 'plain_text', text: '{{event_count}} deploys in {{queue.name}}' } },
  {
    type: 'directive',
    directive: '#each',
    path: 'events',
    as: 'event',
    max_items: 3,
    overflow_text: '…and {{remaining}} more',
    children: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{event.service}}* {{event.version}}' } }],
  },
];

describe('a queue of events', () => {
  let world: World;
  let organization: TestOrganization;
  let api: Api;

  beforeAll(async () => {
    ({ world, organization, api } = await openWorldWith({ tier: 'pro', credits: 10 }));
  });
  afterAll(() => world.close());

  const newQueue = async (channel: string, policy: object) => {
    const template = await liveTemplate(api, digestBlocks);
    return api.ok(createQueue, {
      body: { name: 'Deploys', template_id: template.id, channel_id: channel, ...policy },
    });
  };
  const push = (id: string, events: object[]) => api.ok(pushEvents, { params: { id }, body: { events } });
  const outcomeOf = (id: string, batchId: string) =>
    waitFor('the outcome of the batch', async () => {
      const batch = await api.ok(getBatch, { params: { id, batch_id: batchId } });
      return batch.ended_at !== null && batch;
    });

  it("gathers three services' events within a window into one digest message", async () => {
    const queue = await newQueue(channels.at(0), { mode: 'rolling_window', window_seconds: 5 });
    const services = ['api', 'web', 'worker'];
    const pushes = await Promise.all(
      services.map((service) =>
        push(queue.id, [
          { service, version: '1.4.2' },
          { service, version: '1.4.3' },
        ]),
      ),
    );
    expect(new Set(pushes.map((it) => it.batch_id)).size).toBe(1);
    const batchId = pushes[0]?.batch_id ?? '';
    const batch = await outcomeOf(queue.id, batchId);
    expect(batch).toMatchObject({ status: 'delivered', close_reason: 'window_elapsed', event_count: 6 });
    const posts = await world.sandbox.messages(channels.at(0));
    expect(posts).toHaveLength(1);
    const text = JSON.stringify(posts[0]?.blocks);
    expect(text).toContain('6 deploys in Deploys');
    expect(text).toContain('…and 3 more');
    expect(posts[0]?.key).toBe(batch.message_id);
  });

  it('goes without what its events do not fit, and the batch says what that was', async () => {
    const template = await liveTemplate(api, [
      { type: 'header', text: { type: 'plain_text', text: '{{event_count}} sign-ups' } },
      {
        type: 'directive',
        directive: '#each',
        path: 'events',
        as: 'e',
        children: [
          { type: 'section', text: { type: 'mrkdwn', text: 'by {{e.user}}' } },
          {
            type: 'context',
            elements: [{ type: 'image', image_url: '{{e.avatar}}', alt_text: 'portrait' }],
          },
        ],
      },
    ]);
    const queue = await api.ok(createQueue, {
      body: {
        name: 'Sign-ups',
        template_id: template.id,
        channel_id: channels.at(3),
        mode: 'fixed_volume',
        threshold: 4,
      },
    });
    const { batch_id } = await push(queue.id, [
      { user: 'ada', avatar: 'https://example.com/ada.png' },
      { user: { name: 'bob-of-the-data' }, avatar: 'https://example.com/bob.png' },
      { user: null, avatar: '/rel-of-the-data.png' },
      { user: 'grace' },
    ]);
    const batch = await outcomeOf(queue.id, batch_id);
    expect(batch).toMatchObject({ status: 'delivered', event_count: 4 });
    const { left_out } = await waitFor('what the digest left out', async () => {
      const read = await api.ok(getBatch, { params: { id: queue.id, batch_id } });
      return read.left_out !== null && read;
    });
    expect(left_out).toMatchObject({
      count: 2,
      entries: [
        { pointer: '/blocks/1/children/0/text/text', path: 'events[1].user' },
        { pointer: '/blocks/1/children/1/elements/0/image_url', path: 'events[2].avatar' },
      ],
    });
    expect(JSON.stringify(left_out)).not.toContain('of-the-data');
    const [post] = await world.sandbox.messages(channels.at(3));
    const text = JSON.stringify(post?.blocks);
    for (const shown of ['4 sign-ups', 'by ada', 'by grace', 'ada.png', 'bob.png'])
      expect(text).toContain(shown);
    for (const gone of ['bob-of-the-data', 'rel-of-the-data']) expect(text).not.toContain(gone);
  });

  it('costs one credit a digest, whatever it holds', async () => {
    const queue = await newQueue(channels.at(1), { mode: 'fixed_volume', threshold: 50 });
    const before = await api.ok(getCredits, { params: { organization_id: organization.id } });
    const { batch_id } = await push(
      queue.id,
      Array.from({ length: 50 }, (_, at) => ({ service: `s${at}` })),
    );
    await outcomeOf(queue.id, batch_id);
    await waitFor('the charge', async () => {
      const after = await api.ok(getCredits, { params: { organization_id: organization.id } });
      return after.reserved === 0 && after.balance === before.balance - 1;
    });
  });

  it('is one message from its first event on where the queue is live, for two credits', async () => {
    const section = {
      type: 'section',
      text: { type: 'mrkdwn', text: '{{event_count}} so far, closed: {{closed}}' },
    };
    const each = {
      type: 'directive',
      directive: '#each',
      path: 'events',
      as: 'event',
      children: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{event.service}}*' } }],
    };
    const template = await liveTemplate(api, [section, each]);
    const queue = await api.ok(createQueue, {
      body: {
        name: 'Live deploys',
        template_id: template.id,
        channel_id: channels.at(4),
        mode: 'fixed_volume',
        threshold: 3,
        live: true,
        live_interval_seconds: 5,
      },
    });
    const before = await api.ok(getCredits, { params: { organization_id: organization.id } });
    const shows = (shown: string) =>
      waitFor(`a message that shows ${shown}`, async () => {
        const posts = await world.sandbox.messages(channels.at(4));
        return JSON.stringify(posts).includes(shown) && posts;
      });
    const { batch_id } = await push(queue.id, [{ service: 'api' }]);
    await shows('1 so far, closed: false');
    await push(queue.id, [{ service: 'web' }]);
    await shows('2 so far, closed: false');
    await push(queue.id, [{ service: 'worker' }]);
    const batch = await outcomeOf(queue.id, batch_id);
    expect(batch).toMatchObject({ status: 'delivered', close_reason: 'threshold', event_count: 3 });
    const posts = await shows('3 so far, closed: true');
    expect(posts).toHaveLength(1);
    expect(posts[0]?.key).toBe(batch.message_id);
    for (const service of ['api', 'web', 'worker']) {
      expect(JSON.stringify(posts[0]?.blocks).split(`*${service}*`)).toHaveLength(2);
    }
    await waitFor('the charges', async () => {
      const after = await api.ok(getCredits, { params: { organization_id: organization.id } });
      return after.reserved === 0 && after.balance === before.balance - 2;
    });
  });

  it('is delivered at once when it is flushed', async () => {
    const queue = await newQueue(channels.at(2), { mode: 'fixed_volume', threshold: 1000 });
    await push(queue.id, [{ service: 'api' }]);
    const { batch } = await api.ok(flushQueue, { params: { id: queue.id } });
    expect(batch).toMatchObject({ close_reason: 'flushed', event_count: 1 });
    const ended = await outcomeOf(queue.id, batch?.id ?? '');
    expect(ended.status).toBe('delivered');
    expect(await api.ok(flushQueue, { params: { id: queue.id } })).toEqual({ flushed: false, batch: null });
  });

  it('shows a batch that failed with its reason, keeps its events, and delivers it on a retry', async () => {
    const queue = await newQueue('C0SECRET', { mode: 'fixed_volume', threshold: 1 });
    const { batch_id } = await push(queue.id, [{ service: 'api' }]);
    const failed = await outcomeOf(queue.id, batch_id);
    expect(failed).toMatchObject({ status: 'failed', error: 'invalid_destination' });
    expect(failed.events).toHaveLength(1);
    const retried = await api.post(`/v1/queues/${queue.id}/batches/${batch_id}/retry`);
    expect(retried.body).toMatchObject({ status: 'ready', attempt: 2 });
    const again = await outcomeOf(queue.id, batch_id);
    expect(again).toMatchObject({ status: 'failed', attempt: 2 });
    const { data } = await api.ok(listBatches, { params: { id: queue.id }, query: { status: 'failed' } });
    expect(data.map((it) => it.id)).toEqual([batch_id]);
  });
});
