import type { CreateScheduledMessageBody, ScheduledMessageDetails } from '@stanza/sdk';
import { hashOf, type JsonObject } from '../files/canonical.ts';
import { CommandProblem } from '../problem.ts';
import { forEach } from '../templates/remote.ts';
import { type Access, kindOf, type Listed, plainly, refOf } from './kind.ts';
import { anyObject, flag, oneOf, record, type Shaped, text } from './shape.ts';

const shape = record(
  { template: text },
  {
    channel_id: text,
    recipient_email: text,
    recipient_chat_id: text,
    send_at: text,
    cron: text,
    timezone: text,
    data: anyObject,
    strict: flag,
    locale: text,
    catch_up: flag,
    on_unknown: oneOf('hold', 'repost'),
    visible_to: text,
    message_key: text,
    on_existing: oneOf('update', 'reply', 'skip', 'post'),
    reply_broadcast: flag,
    unfurl_links: flag,
    unfurl_media: flag,
  },
);

type ScheduleFile = Shaped<typeof shape>;

const targets = ['channel_id', 'recipient_email', 'recipient_chat_id'] as const;
const timings = ['send_at', 'cron'] as const;

const problemOf = (document: ScheduleFile): string | undefined => {
  for (const names of [targets, timings]) {
    const given = names.filter((name) => document[name] !== undefined);
    if (given.length !== 1) return `give exactly one of ${names.join(', ')}; ${given.length} were given`;
  }
  const { send_at } = document;
  return send_at !== undefined && Number.isNaN(Date.parse(send_at))
    ? '/send_at is to be a time, as 2026-12-24T08:30:00Z'
    : undefined;
};

const targetOf = ({ channel_id, recipient_email, recipient_chat_id }: ScheduleFile) => {
  if (channel_id !== undefined) return { channel_id };
  if (recipient_email !== undefined) return { recipient_email };
  if (recipient_chat_id !== undefined) return { recipient_chat_id };
  throw new Error('a schedule without a recipient was not refused');
};

const timingOf = ({ send_at, cron }: ScheduleFile) => {
  if (send_at !== undefined) return { send_at };
  if (cron !== undefined) return { cron };
  throw new Error('a schedule without a time was not refused');
};

const bodyOf = (document: ScheduleFile): CreateScheduledMessageBody => {
  const {
    template,
    channel_id: _,
    recipient_email: __,
    recipient_chat_id: ___,
    send_at,
    cron,
    ...own
  } = document;
  return {
    ...own,
    template_key: template,
    ...targetOf(document),
    ...timingOf({ ...document, send_at, cron }),
  };
};

const partsOf = ({ send_at, ...document }: JsonObject) => {
  const at = typeof send_at === 'string' ? Date.parse(send_at) : Number.NaN;
  return { about: { ...document, ...(!Number.isNaN(at) && { at }) }, content: null };
};

const hashOfSchedule = (document: JsonObject): string => hashOf(partsOf(document).about);

/** One that belongs to a message of its environment stands in no file. */
const isOfMessage = ({ reply_to, thread_ts }: ScheduledMessageDetails): boolean =>
  (reply_to ?? null) !== null || thread_ts !== null;

interface Scheduled {
  readonly id: string;
  readonly document: JsonObject;
  readonly hash: string;
}

const twice = (one: Scheduled, other: Scheduled): CommandProblem =>
  new CommandProblem(
    `Two scheduled messages are the same: ${one.id} and ${other.id}.`,
    'A schedule has no key in the API, so that files tell them apart by what they say. Cancel one of the two.',
  );

/** The keys of files for schedules, which have none in the API: by the base state, by what they say, or new ones. */
const keyed = ({ lock, locals }: Access, all: readonly Scheduled[]): Listed[] => {
  const [ofId, ofHash] = [new Map<string, string>(), new Map<string, string>()];
  const taken = new Set<string>();
  for (const [ref, { version_id }] of lock) {
    if (ref.startsWith('schedules/')) ofId.set(version_id, ref.slice('schedules/'.length));
  }
  for (const { kind, key, document } of locals.values()) {
    if (kind.folder !== 'schedules') continue;
    ofHash.set(hashOfSchedule(document), key);
    taken.add(key);
  }
  const claimed = new Map(all.flatMap((one) => (ofId.has(one.id) ? [[ofId.get(one.id), one] as const] : [])));
  const seen = new Map<string, Scheduled>();
  const free = (template: unknown): string => {
    const stem = String(template).toLowerCase();
    for (let number = 1; ; number += 1) {
      const key = number === 1 ? stem : `${stem}-${number}`;
      if (!taken.has(key)) return key;
    }
  };
  return all.flatMap((one): Listed[] => {
    const { id, document, hash } = one;
    const before = seen.get(hash);
    if (before) throw twice(before, one);
    seen.set(hash, one);
    const alike = ofHash.get(hash);
    const holder = alike === undefined ? undefined : claimed.get(alike);
    // What an interrupted push has made in place of another one, which it had yet to cancel.
    if (!ofId.has(id) && holder && holder.hash !== hash) return [];
    const key = ofId.get(id) ?? alike ?? free(document.template);
    taken.add(key);
    return [{ id, key, document }];
  });
};

/** Schedules have no key in the API: a file names its own, and what differs is made anew. */
export const schedules = kindOf<ScheduleFile>({
  folder: 'schedules',
  word: 'schedule',
  scope: 'messages:create',
  shape,
  order: [
    'template',
    ...targets,
    ...timings,
    'timezone',
    'data',
    'strict',
    'locale',
    'catch_up',
    'on_unknown',
    'visible_to',
    'message_key',
    'on_existing',
    'reply_broadcast',
    'unfurl_links',
    'unfurl_media',
  ],
  usual: () => ({ data: {}, catch_up: false, on_unknown: 'hold' }),
  removal: 'cancel',
  isReplaced: true,
  problemOf,
  partsOf,
  referencesOf: ({ template }) => [{ kind: 'template', name: template }],
  list: async (access) => {
    const { stanza, names } = access;
    const ids: string[] = [];
    for await (const { id } of stanza.scheduledMessages.list({ status: 'active' })) ids.push(id);
    const details = await forEach(ids.toReversed(), (id) => stanza.scheduledMessages.get(id));
    const scheduled = details
      .filter((one) => !isOfMessage(one))
      .map((one): Scheduled => {
        const document = schedules.normal({ ...one, template: names.keyOf('template', one.template_id) });
        return { id: one.id, document, hash: hashOfSchedule(document) };
      });
    return keyed(access, scheduled);
  },
  create: async ({ stanza }, document, _, idempotencyKey) =>
    plainly(await stanza.scheduledMessages.create(bodyOf(document), { idempotencyKey })),
  update: async ({ stanza }, document, { key, found }) => {
    // The new one first: a schedule whose change is refused goes on as it was.
    const idempotencyKey = `push-replace-${hashOf([refOf('schedules', key), found.id, document])}`;
    const made = await stanza.scheduledMessages.create(bodyOf(document), { idempotencyKey });
    await stanza.scheduledMessages.cancel(found.id);
    return plainly(made);
  },
  remove: async ({ stanza }, id) => {
    await stanza.scheduledMessages.cancel(id);
  },
});
