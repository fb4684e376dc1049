import {
  appendTemplateVersion,
  createApiKey,
  createDestination,
  createModal,
  createPartial,
  createQueue,
  createSampleData,
  createScheduledMessage,
  getBatch,
  getTemplateUse,
  inviteMember,
  listInteractions,
  pushEvents,
  putTemplateDraft,
  type Scope,
  sendTemplate,
  updateTemplate,
} from '@stanza/contracts';
import { v7 } from 'uuid';
import type { Api } from '../kit/api.ts';
import type { World } from '../kit/stack.ts';
import { deployBlocks, liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';
import { ownChannel } from './fixtures/messages.ts';
import type { Home } from './home.ts';

/** Scopes that read a version of a template, of which its sample data is a part, or answer with one. */
const ofVersion: readonly Scope[] = [
  'templates:read',
  'templates:create',
  'templates:update',
  'templates:activate',
  'messages:preview',
  'messages:create',
];

/** For each kind of stored data, the scopes that read it. */
export const readers = {
  event: ['queues:write'],
  left_out: ['queues:write'],
  sample: ['sample-data:read', 'sample-data:write'],
  schedule: ['messages:create'],
  version: ofVersion,
  modal: ['modals:read', 'modals:write'],
  invited: ['users:read', 'audit:read'],
  partial: ofVersion,
  named: ['usage:read'],
  address: ['destinations:read', 'destinations:write'],
  draft: ['templates:read', 'templates:update'],
  clicked: ['interactions:read'],
  queue: ['organizations:read', 'queues:write', 'audit:read'],
  caller: ['api-keys:read', 'api-keys:write', 'audit:read'],
  /** The data of a message is in its channel alone. */
  said: [],
} as const satisfies Record<string, readonly Scope[]>;

/** What not even a key of every scope reads. */
export const unread: readonly string[] = ['left_out', 'said'];

/** A kind of stored data. */
export type Kind = keyof typeof readers;

/** Stored data of every kind, each with a text that stands nowhere else. */
export interface Canaries {
  texts: Readonly<Record<Kind, string>>;
  /** The ids of what holds them, by the path that ends in it. */
  made: Readonly<Record<string, string>>;
  /** A queue whose batch has ended, and did not take its event. */
  leaving: { id: string };
  /** A place in the log of messages before all of them. */
  before: string;
  /** Blocks that no stored data fits, at places where its fault could be quoted. */
  hostileBlocks: readonly unknown[];
}

const plain = (text: string) => ({ type: 'plain_text', text });
/** Blocks that put values where none of them fits. */
const quoting = (path: string): unknown[] => [
  { type: 'image', image_url: `{{${path}}}`, alt_text: 'x' },
  {
    type: 'actions',
    elements: [
      { type: 'button', text: plain('x'), style: `{{${path}}}`, action_id: 'a' },
      { type: 'datepicker', initial_date: `{{${path}}}`, action_id: 'b' },
      { type: 'button', text: plain('x'), action_id: 'c', url: `{{${path}}}` },
    ],
  },
];

const ended = ['delivered', 'failed', 'unknown'];

/**
 * The beginning of the stream of messages: its first event stands where the stream does.
 * @param until what the text holds at the end
 */
export const streamText = async (
  { base }: Pick<Api, 'base'>,
  key: string,
  { after, until }: { after?: string; until: RegExp },
): Promise<string> => {
  const left = new AbortController();
  const path = `/v1/messages/stream${after === undefined ? '' : `?after=${after}`}`;
  const { body } = await fetch(base + path, {
    headers: { authorization: `Bearer ${key}` },
    signal: left.signal,
  });
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (until.test(text)) break;
  }
  left.abort();
  return text;
};

/** Sends a message with a button, and presses it in the chat. */
const press = async (
  { api }: Pick<Home, 'api'>,
  { sandbox, sandboxUrl }: World,
  { said, clicked }: Pick<Canaries['texts'], 'said' | 'clicked'>,
): Promise<void> => {
  const channel = ownChannel();
  const interaction = [
    { type: 'update_message', strategy: 'append', blocks: [{ type: 'section', text: plain('{{said}}') }] },
  ];
  const button = { type: 'button', action_id: 'press', text: plain('{{said}}'), interaction };
  const { id: template_id } = await liveTemplate(api, [
    { type: 'actions', block_id: 'buttons', elements: [button] },
  ]);
  const body = { template_id, data: { said }, channel_id: channel };
  const { message_ts: ts } = await api.ok(sendTemplate, { body });
  const posted = (await sandbox.messages(channel)).find((message) => message.ts === ts);
  const action = { type: 'button', action_id: 'press', block_id: 'buttons', value: clicked };
  const used = { workspace: posted?.workspace, channel, ts, user: 'U0ADA', action };
  await fetch(`${sandboxUrl}/interactions/action`, { method: 'POST', body: JSON.stringify(used) });
  await waitFor('the click to be handled', async () => {
    const [click] = (await api.ok(listInteractions)).data;
    return click?.actions.every(({ status }) => status === 'done');
  });
};

/** Stores data of every kind in a home. */
export const storeCanaries = async ({ api, organization }: Home, world: World): Promise<Canaries> => {
  const text = (kind: string) => `canary-${kind}-${v7()}`;
  const texts: Record<Kind, string> = {
    event: text('event'),
    left_out: text('left-out'),
    sample: text('sample'),
    schedule: text('schedule'),
    version: text('version'),
    modal: text('modal'),
    invited: `${text('invited')}@example.com`,
    partial: text('partial'),
    named: text('named'),
    address: text('address'),
    draft: text('draft'),
    clicked: text('clicked'),
    queue: text('queue'),
    caller: text('caller'),
    said: text('said'),
  };
  const reading = await organization.key({ scopes: ['usage:read'] });
  const opening = await streamText(api, reading.key, { until: /\n\n/ });
  const before = /^id: (.+)$/m.exec(opening)?.[1] ?? '';
  const hostileBlocks = ['secret', 'events | json', 'first.secret'].flatMap(quoting);
  const sample_data = { secret: texts.version };
  const { id: template_id } = await liveTemplate(api, deployBlocks, {
    key: 'canary',
    sample_data,
  });
  const params = { id: template_id };
  const hostile = await api.ok(appendTemplateVersion, {
    params,
    body: { blocks: hostileBlocks },
  });
  await api.ok(putTemplateDraft, {
    params,
    body: { blocks: deployBlocks, sample_data: { secret: texts.draft } },
  });
  const sample = { name: 'Canary', template_id, data: { secret: texts.sample } };
  const { id: sampleId } = await api.ok(createSampleData, { body: sample });
  const schedule = {
    template_id,
    data: { secret: texts.schedule },
    channel_id: ownChannel(),
    send_at: '2099-01-01T00:00:00Z',
  };
  const { id: scheduleId } = await api.ok(createScheduledMessage, { body: schedule });
  const push = async (policy: object, secret: string) => {
    const { id } = await api.ok(createQueue, {
      body: { name: texts.queue, channel_id: ownChannel(), ...policy },
    });
    const { batch_id } = await api.ok(pushEvents, { params: { id }, body: { events: [{ secret }] } });
    return { id, batch_id };
  };
  const { id: queueId, batch_id: batchId } = await push(
    { template_id, mode: 'rolling_window', window_seconds: 3_600 },
    texts.event,
  );
  const { id: broken } = await liveTemplate(api, hostileBlocks);
  const leaving = await push({ template_id: broken, mode: 'fixed_volume', threshold: 1 }, texts.left_out);
  await waitFor('the batch to end', async () =>
    ended.includes((await api.ok(getBatch, { params: leaving })).status),
  );
  const partial = await api.ok(createPartial, {
    body: { name: 'Canary', blocks: [{ type: 'section', text: plain(texts.partial) }] },
  });
  const named = { template_id, data: {}, channel_id: ownChannel(), message_key: texts.named };
  const { message_id: messageId } = await api.ok(sendTemplate, { body: named });
  await press({ api }, world, texts);
  const { key } = await api.ok(createApiKey, { body: { name: texts.caller, scopes: ['messages:create'] } });
  const called = { template_id, data: {}, channel_id: ownChannel() };
  await world.api.with(key).ok(sendTemplate, { body: called });
  await waitFor('the send of the key to be charged', async () =>
    (await api.ok(getTemplateUse, { params })).callers.some(({ name }) => name === texts.caller),
  );
  const address = { name: 'Canary', url: `https://example.com/${texts.address}` };
  await api.ok(createDestination, { body: address });
  const modal = {
    name: 'Canary',
    title: 'x',
    blocks: deployBlocks,
    sample_data: { secret: texts.modal },
    activate: true,
  };
  const { id: modalId } = await api.ok(createModal, { body: modal });
  await api.ok(inviteMember, {
    params: { id: organization.id },
    body: { email: texts.invited, role: 'viewer' },
  });
  // A digest leaves out what does not fit, and so does not break, unless its template is strict.
  await api.ok(updateTemplate, { params, body: { strict: true } });
  return {
    texts,
    before,
    hostileBlocks,
    leaving,
    made: {
      '/templates/{id}': template_id,
      '/templates/{id}/versions/{version_id}': hostile.id,
      '/sample-data/{id}': sampleId,
      '/scheduled-messages/{id}': scheduleId,
      '/queues/{id}': queueId,
      '/queues/{id}/batches/{batch_id}': batchId,
      '/modals/{id}': modalId,
      '/partials/{id}': partial.id,
      '/partials/{id}/versions/{version_id}': partial.version.id,
      '/messages/{id}': messageId,
    },
  };
};
