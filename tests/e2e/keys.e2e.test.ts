import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  compileTemplate,
  createDestination,
  createQueue,
  createScheduledMessage,
  deleteQueue,
  getTemplate,
  listDestinations,
  listQueues,
  previewTemplate,
  sendBulk,
  sendTemplate,
  updateQueue,
} from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

const channels = channelsOf('keys');

describe('a template that is named by its key', () => {
  let world: World;
  let api: Api;
  let id: string;
  const data = { service: 'api', version: '1.4.2' };
  const template_key = 'deploy-alert';

  beforeAll(async () => {
    ({ world, api } = await openWorldWith({ credits: 100 }));
    id = (await liveTemplate(api)).id;
  });
  afterAll(() => world.close());

  it('is compiled, previewed, sent and scheduled', async () => {
    const channel_id = channels.next();
    const compiled = await api.ok(compileTemplate, { body: { template_key, data } });
    expect(compiled.template).toEqual({ id, name: 'Deploy alert' });
    const previewed = await api.ok(previewTemplate, { body: { templateKey: template_key, data } });
    expect(previewed.template).toEqual({ id, name: 'Deploy alert' });
    await api.ok(sendTemplate, { body: { template_key, data, channel_id } });
    const bulk = await api.ok(sendBulk, { body: { template_key, data, destinations: [{ channel_id }] } });
    expect(bulk.total_sent).toBe(1);
    const schedule = { template_key, data, channel_id, cron: '0 9 1 1 *' };
    await expect(api.ok(createScheduledMessage, { body: schedule })).resolves.toMatchObject({
      template_id: id,
    });
  });

  it.each([
    [compileTemplate, {}],
    [previewTemplate, {}],
    [sendTemplate, { channel_id: 'C0GENERAL' }],
    [sendBulk, { destinations: [{ channel_id: 'C0GENERAL' }] }],
    [createScheduledMessage, { channel_id: 'C0GENERAL', cron: '0 9 1 1 *' }],
  ])('is refused where it is unknown, or named in both ways or in none: $id', async (operation, rest) => {
    const unknown = await api.post(`/v1${operation.path}`, { ...rest, template_key: 'no-such' });
    expect([unknown.status, unknown.body]).toEqual([
      404,
      expect.objectContaining({ code: 'template_not_found' }),
    ]);
    const both = await api.post(`/v1${operation.path}`, { ...rest, template_key, template_id: id });
    expect(both.status).toBe(422);
    expect((await api.post(`/v1${operation.path}`, { ...rest })).status).toBe(422);
  });

  it('makes the digests of a queue, which has a key too, as its destination has', async () => {
    const url = 'https://tickets.example.com/hooks';
    const destination = await api.ok(createDestination, { body: { name: 'Ticket system', url } });
    expect(destination.key).toBe('ticket-system');
    const policy = { name: 'Deploys', mode: 'fixed_volume', threshold: 10, template_key };
    const queue = await api.ok(createQueue, { body: { ...policy, destination_key: 'ticket-system' } });
    expect(queue).toMatchObject({ key: 'deploys', template_id: id, destination_id: destination.id });
    const keysOf = async (operation: typeof listQueues | typeof listDestinations, key: string) =>
      (await api.ok(operation, { query: { key } })).data.map((it) => it.id);
    await expect(keysOf(listQueues, 'deploys')).resolves.toEqual([queue.id]);
    await expect(keysOf(listDestinations, 'ticket-system')).resolves.toEqual([destination.id]);

    const params = { id: queue.id };
    const moved = await api.ok(updateQueue, { params, body: { channel_id: channels.next() } });
    expect(moved.destination_id).toBeNull();
    const back = await api.ok(updateQueue, {
      params,
      body: { destination_key: 'ticket-system', is_active: false },
    });
    expect(back.destination_id).toBe(destination.id);
    const unknown = await api.request('PATCH', `/v1/queues/${queue.id}`, { destination_key: 'no-such' });
    expect(unknown.status).toBe(404);
    const twice = await api.post('/v1/queues', { ...policy, key: 'deploys', channel_id: 'C0GENERAL' });
    expect([twice.status, twice.body]).toEqual([409, expect.objectContaining({ code: 'already_exists' })]);
    await api.ok(deleteQueue, { params });
    await expect(
      api.ok(createQueue, { body: { ...policy, channel_id: 'C0GENERAL' } }),
    ).resolves.toMatchObject({
      key: 'deploys',
    });
  });

  it('is shown with its key', async () => {
    await expect(api.ok(getTemplate, { params: { id } })).resolves.toMatchObject({ key: template_key });
  });
});
