import { createDestination, createEventSubscription, createQueue } from '@stanza/contracts';
import { Stanza } from '@stanza/sdk';
import { Api } from '../kit/api.ts';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

/** Organizations, each with a workspace of its own at the chat platform. */
const count = 3;
const credits = 1_000_000;

const messageBlocks = [{ type: 'header', text: { type: 'plain_text', text: '{{marker}}' } }];

/** A digest names each of its events, in plain text: in another one the signs of a marker are no longer together. */
const digestBlocks = [
  { type: 'header', text: { type: 'plain_text', text: '{{event_count}} events' } },
  {
    type: 'directive',
    directive: '#each',
    path: 'events',
    as: 'event',
    max_items: 45,
    children: [{ type: 'section', text: { type: 'plain_text', text: '{{event.id}}' } }],
  },
];

/** An organization under load. */
export interface Customer {
  id: string;
  /** Its API over each of the gateways. */
  apis: [Api, ...Api[]];
  /** The SDK over each of the gateways. */
  clients: [Stanza, ...Stanza[]];
  messageTemplate: string;
  queues: [string, ...string[]];
}

/** What is delivered until it is taken: without, an attempt whose answer is lost is the only one. */
const retries = {
  retry_enabled: true,
  max_retries: 10,
  retry_initial_delay_ms: 300,
  retry_max_delay_ms: 3_000,
};

const makeQueues = async (api: Api, template_id: string, url: string): Promise<[string, ...string[]]> => {
  const destination = await api.ok(createDestination, {
    body: { name: 'Receiver', url, ...retries },
  });
  const made = async (name: string, policy: object): Promise<string> =>
    (await api.ok(createQueue, { body: { name, ...policy } })).id;
  const often = { live_interval_seconds: 5 };
  const volume = { mode: 'fixed_volume', threshold: 12 };
  return [
    await made('By volume', { ...volume, template_id, channel_id: 'C1901' }),
    await made('By time', { mode: 'rolling_window', window_seconds: 5, template_id, channel_id: 'C1902' }),
    await made('Live by volume', { ...volume, live: true, ...often, template_id, channel_id: 'C1903' }),
    await made('Live by time', {
      mode: 'rolling_window',
      window_seconds: 12,
      live: true,
      ...often,
      template_id,
      channel_id: 'C1904',
    }),
    await made('Elsewhere', { ...volume, destination_id: destination.id }),
  ];
};

/** Has the ends of all messages told to the receiver. */
const subscribe = async (api: Api, url: string): Promise<void> => {
  const { id: destination_id } = await api.ok(createDestination, {
    body: { name: 'Events', url, ...retries },
  });
  await api.ok(createEventSubscription, {
    body: { destination_id, types: ['message.sent', 'message.failed'] },
  });
};

const makeCustomer = async (
  world: World,
  baseUrls: readonly string[],
  receiver: string,
): Promise<Customer> => {
  const organization = await world.newOrganization({ tier: 'enterprise', credits });
  const { key } = await organization.key();
  const [first = world.api.base, ...others] = baseUrls;
  const api = new Api(first, key);
  const digest = await liveTemplate(api, digestBlocks);
  await subscribe(api, receiver);
  return {
    id: organization.id,
    apis: [api, ...others.map((base) => new Api(base, key))],
    clients: [new Stanza({ url: api.base, key }), ...others.map((url) => new Stanza({ url, key }))],
    messageTemplate: (await liveTemplate(api, messageBlocks)).id,
    queues: await makeQueues(api, digest.id, receiver),
  };
};

/** The organizations of a run. */
export interface Customers {
  /** Those under load. */
  all: Customer[];
  /** One more, in whose name it is asked whether everything works. */
  prober: Customer;
}

/** Makes the organizations of a run. */
export const makeCustomers = async (
  world: World,
  baseUrls: readonly string[],
  receiver: string,
): Promise<Customers> => {
  const all: Customer[] = [];
  for (let at = 0; at < count; at += 1) all.push(await makeCustomer(world, baseUrls, receiver));
  return { all, prober: await makeCustomer(world, baseUrls, receiver) };
};
