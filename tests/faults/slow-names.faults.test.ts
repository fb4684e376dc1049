import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDestination, createEventSubscription, listDeliveries } from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { type NameServer, startNameServer } from '../kit/name-server.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { type Receiver, startReceiver } from '../kit/receiver.ts';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** Destinations of the organization whose names get no answer; each is told of each message. */
const silentNames = Array.from({ length: 40 }, (_, at) => `hook-${at}.silent.test`);
/** Its messages: their deliveries are more than a process takes on at one time. */
const messages = 3;
/** Deliveries that wait for names while the neighbour acts: five times as many as a process has threads. */
const waiting = 20;
/** Destinations of the neighbour. Each name is looked up with its first delivery. */
const quickNames = ['hook.neighbour.test', 'log.neighbour.test', 'tickets.neighbour.test'];

let channels = 0;
const nextChannel = (): string => `C${1_000 + channels++}`;

describe('an organization whose name server is silent', () => {
  let nameServer: NameServer;
  let own: OwnStack;
  let world: World;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    nameServer = await startNameServer();
    const env = { STANZA_DESTINATION_NAME_SERVERS: nameServer.address };
    own = await startOwnStack('slow-names', { seed: false, env });
    ({ world } = own);
  });
  afterAll(async () => {
    await own?.close();
    for (const receiver of receivers) await receiver.close();
    await nameServer?.close();
  });

  /** An organization that tells one receiver of its messages, under each of these names. */
  const newCustomer = async (names: readonly string[], retries: object = {}) => {
    const organization = await world.newOrganization({ tier: 'enterprise' });
    const api: Api = world.api.with((await organization.key()).key);
    const receiver = await startReceiver();
    receivers.push(receiver);
    const { port } = new URL(receiver.url);
    const destinations: string[] = [];
    for (const name of names) {
      nameServer.addresses.set(name, ['127.0.0.1']);
      const body = { name, url: `http://${name}:${port}/hooks`, ...retries };
      const { id: destination_id } = await api.ok(createDestination, { body });
      await api.ok(createEventSubscription, { body: { destination_id, types: ['message.sent'] } });
      destinations.push(destination_id);
    }
    const { id: template_id } = await liveTemplate(api);
    const send = () => api.post('/v1/templates/send', { template_id, data: {}, channel_id: nextChannel() });
    const compile = () => api.post('/v1/templates/compile', { template_id, data: {} });
    /** All deliveries of this organization, once there are this many of them and each has ended. */
    const ended = (count: number) =>
      waitFor(`the end of ${count} deliveries`, async () => {
        const lists = await Promise.all(destinations.map((id) => api.ok(listDeliveries, { params: { id } })));
        const all = lists.flatMap(({ data }) => data);
        return all.length === count && all.every(({ status }) => status !== 'waiting') && all;
      });
    return { send, compile, ended, receiver };
  };

  /** Deliveries of the organization that has most under way. */
  const underWay = async (): Promise<number> => {
    const page = await (await fetch(own.stack.info.metrics.delivery ?? '')).text();
    return Number(/^stanza_share_slots\{kind="deliveries",of="largest".*\} (\d+)$/m.exec(page)?.[1]);
  };

  it('keeps no neighbour from sending and from its own destinations, and gets its deliveries in the end', async () => {
    for (const name of silentNames) nameServer.silent.add(name);
    const retries = { retry_enabled: true, max_retries: 10, retry_strategy: 'linear' };
    const slow = await newCustomer(silentNames, retries);
    // Without retries: a delivery whose name is not found in its time has failed.
    const neighbour = await newCustomer(quickNames);

    for (let sent = 0; sent < messages; sent += 1) expect((await slow.send()).status).toBe(200);
    await waitFor('deliveries to wait for names', async () => (await underWay()) >= waiting);
    const statuses: number[] = [];
    for (let sent = 0; sent < messages; sent += 1) {
      const answers = await Promise.all([neighbour.compile(), neighbour.send(), slow.send()]);
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses).toEqual(statuses.map(() => 200));
    const arrived = await neighbour.ended(messages * quickNames.length);
    expect(new Set(arrived.map(({ status }) => status))).toEqual(new Set(['delivered']));
    expect(slow.receiver.received).toEqual([]);

    nameServer.silent.clear();
    const late = await slow.ended(2 * messages * silentNames.length);
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set(['delivered']));
    const received = slow.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(received)).toEqual(new Set(late.map(({ id }) => id)));
  });
});
