import { limits } from '@stanza/contracts/limits';
import type { CreateQueueBody } from '@stanza/sdk';
import type { JsonObject } from '../files/canonical.ts';
import { kindOf, plainly, type Reference } from './kind.ts';
import { flag, oneOf, record, type Shaped, text, whole } from './shape.ts';

const { windowSeconds, liveIntervalSeconds } = limits;
const seconds = whole(windowSeconds.min, windowSeconds.max);

const shape = record(
  { name: text, mode: oneOf('rolling_window', 'fixed_volume') },
  {
    description: text,
    window_seconds: seconds,
    max_window_seconds: seconds,
    threshold: whole(1, limits.batchEvents),
    max_wait_seconds: seconds,
    template: text,
    channel_id: text,
    recipient_email: text,
    recipient_chat_id: text,
    destination: text,
    on_unknown: oneOf('hold', 'repost'),
    live: flag,
    live_interval_seconds: whole(liveIntervalSeconds.min, liveIntervalSeconds.max),
    is_active: flag,
  },
);

type QueueFile = Shaped<typeof shape>;

const targets = ['channel_id', 'recipient_email', 'recipient_chat_id', 'destination'] as const;

/** What closes a batch, by the mode; the first is needed. */
const limitsOf = {
  rolling_window: ['window_seconds', 'max_window_seconds'],
  fixed_volume: ['threshold', 'max_wait_seconds'],
} as const;

const modeProblem = (document: QueueFile): string | undefined => {
  const { mode } = document;
  const [needed] = limitsOf[mode];
  if (document[needed] === undefined) return `/${needed} is missing: the mode ${mode} needs it`;
  const other = mode === 'rolling_window' ? 'fixed_volume' : 'rolling_window';
  const wrong = limitsOf[other].find((name) => document[name] !== undefined);
  return wrong && `/${wrong} belongs to the mode ${other}; this queue is ${mode}`;
};

const targetProblem = (document: QueueFile): string | undefined => {
  const given = targets.filter((target) => document[target] !== undefined);
  if (given.length !== 1) return `give exactly one of ${targets.join(', ')}; ${given.length} were given`;
  return document.destination === undefined && document.template === undefined
    ? '/template is missing: a chat message is made from a template'
    : undefined;
};

const targetOf = ({ channel_id, recipient_email, recipient_chat_id, destination }: QueueFile) => {
  if (channel_id !== undefined) return { channel_id };
  if (recipient_email !== undefined) return { recipient_email };
  if (recipient_chat_id !== undefined) return { recipient_chat_id };
  if (destination !== undefined) return { destination_key: destination };
  throw new Error('a queue without a target was not refused');
};

const longestWait = 86_400;
const liveInterval = 15;

/** A batch closes after ten windows at the latest, where nothing else is said. */
const longestWindow = (window: unknown): number | undefined =>
  typeof window === 'number' ? Math.min(window * 10, longestWait) : undefined;

const usual = ({ mode, window_seconds, live }: JsonObject): JsonObject => ({
  on_unknown: 'hold',
  live: false,
  ...(live === true && { live_interval_seconds: liveInterval }),
  is_active: true,
  ...(mode === 'fixed_volume'
    ? { max_wait_seconds: longestWait }
    : { max_window_seconds: longestWindow(window_seconds) }),
});

const bodyOf = (document: QueueFile) => {
  const {
    template,
    destination: _,
    channel_id: __,
    recipient_email: ___,
    recipient_chat_id: ____,
    ...own
  } = document;
  const isWindow = own.mode === 'rolling_window';
  const longest = own.max_window_seconds ?? longestWindow(own.window_seconds);
  return {
    ...own,
    description: own.description ?? null,
    on_unknown: own.on_unknown ?? ('hold' as const),
    live: own.live ?? false,
    ...(own.live && { live_interval_seconds: own.live_interval_seconds ?? liveInterval }),
    is_active: own.is_active ?? true,
    ...(isWindow && longest !== undefined && { max_window_seconds: longest }),
    ...(!isWindow && { max_wait_seconds: own.max_wait_seconds ?? longestWait }),
    ...(template === undefined ? { template_id: null } : { template_key: template }),
    ...targetOf(document),
  };
};

/** Queues name their template and their destination by key. */
export const queues = kindOf<QueueFile>({
  folder: 'queues',
  word: 'queue',
  scope: 'organizations:read',
  shape,
  order: [
    'name',
    'description',
    'mode',
    'window_seconds',
    'max_window_seconds',
    'threshold',
    'max_wait_seconds',
    'template',
    ...targets,
    'on_unknown',
    'live',
    'live_interval_seconds',
    'is_active',
  ],
  usual,
  problemOf: (document) => targetProblem(document) ?? modeProblem(document),
  referencesOf: ({ template, destination }): Reference[] => [
    ...(template === undefined ? [] : [{ kind: 'template' as const, name: template }]),
    ...(destination === undefined ? [] : [{ kind: 'destination' as const, name: destination }]),
  ],
  list: async ({ stanza, names }) => {
    const found = [];
    for await (const queue of stanza.queues.list()) {
      const { id, key, template_id, destination_id } = queue;
      const document = {
        ...queue,
        template: template_id && names.keyOf('template', template_id),
        destination: destination_id && names.keyOf('destination', destination_id),
      };
      found.push({ id, key, document });
    }
    return found;
  },
  create: async ({ stanza }, document, key) => {
    const body: CreateQueueBody = { key, ...bodyOf(document) };
    return plainly(await stanza.queues.create(body));
  },
  update: async ({ stanza }, document, { found }) =>
    plainly(await stanza.queues.update(found.id, bodyOf(document))),
  remove: async ({ stanza }, id) => {
    await stanza.queues.delete(id);
  },
});
