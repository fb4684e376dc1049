import type { ScheduledMessageDetails, UpdateScheduledMessageBody } from '@stanza/sdk';
import { hashOf, isSame, type JsonObject } from '../files/canonical.ts';
import { forEach } from '../templates/remote.ts';
import { type Access, kindOf, type Listed, plainly } from './kind.ts';
import { anyObject, cron, flag, messageLocale, oneOf, record, type Shaped, text, timezone } from './shape.ts';

const shape = record(
  { template: text },
  {
    channel_id: text,
    recipient_email: text,
    recipient_chat_id: text,
    send_at: text,
    cron,
    timezone,
    data: anyObject,
    strict: flag,
    locale: messageLocale,
    catch_up: flag,
    on_unknown: oneOf('hold', 'repost'),
    visible_to: text,
    message_key: text,
    on_existing: oneOf('update', 'reply', 'skip', 'post'),
    reply_broadcast: flag,
    unfurl_links: flag,
    unfurl_media: flag,
    is_paused: flag,
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

/** What a change takes away where the file has it no more. */
const nothing = {
  timezone: null,
  strict: null,
  locale: null,
  visible_to: null,
  message_key: null,
  on_existing: null,
  reply_broadcast: null,
  unfurl_links: null,
  unfurl_media: null,
} as const satisfies UpdateScheduledMessageBody;

const usualOptions = { data: {}, catch_up: false, on_unknown: 'hold' } as const;
const usual = { ...usualOptions, is_paused: false };

const bodyOf = (document: ScheduleFile) => {
  const {
    template,
    channel_id: _,
    recipient_email: __,
    recipient_chat_id: ___,
    send_at: ____,
    cron: _____,
    is_paused: ______,
    ...own
  } = document;
  return { ...own, template_key: template, ...targetOf(document) };
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

/** The keys that the base state has for schedules, by their ids; where a file was renamed, that of the file. */
const knownIn = (lock: Access['lock'], files: ReadonlySet<string>): Map<string, string> => {
  const known = new Map<string, string>();
  for (const [ref, { version_id: id }] of lock) {
    const [folder, key = ''] = ref.split('/');
    if (folder === 'schedules' && !files.has(known.get(id) ?? '')) known.set(id, key);
  }
  return known;
};

/**
 * The keys of files for schedules, which have none in the API: a file that the base state has for one stays with it, others
 * are matched by what they say, each with one, and the rest get new ones.
 */
const keyed = ({ lock, locals }: Access, all: readonly Scheduled[]): Listed[] => {
  const files = [...locals.values()].filter(({ kind }) => kind.folder === 'schedules');
  const names = new Set(files.map(({ key }) => key));
  const known = knownIn(lock, names);
  const held = new Set(all.map(({ id }) => known.get(id)).filter((key) => key && names.has(key)));
  const open = Map.groupBy(
    files.filter(({ key }) => !held.has(key)),
    ({ document }) => hashOfSchedule(document),
  );
  const taken = new Set(names);
  const free = (stem: string): string => {
    for (let number = 1; ; number += 1) {
      const key = number === 1 ? stem : `${stem}-${number}`;
      if (!taken.has(key)) return key;
    }
  };
  return all.map(({ id, document, hash }): Listed => {
    const before = known.get(id);
    const isHeld = before !== undefined && held.has(before);
    const alike = isHeld ? undefined : open.get(hash)?.shift()?.key;
    const key = isHeld ? before : (alike ?? free(before ?? String(document.template).toLowerCase()));
    taken.add(key);
    return { id, key, document };
  });
};

/** Schedules have no key in the API: a file names its own. */
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
    'is_paused',
  ],
  usual: () => usual,
  removal: 'cancel',
  problemOf,
  partsOf,
  problemOfNew: ({ send_at }, now) =>
    send_at !== undefined && Date.parse(send_at) <= now.getTime()
      ? '/send_at has passed: delete the file, or give another time'
      : undefined,
  referencesOf: ({ template }) => [{ kind: 'template', name: template }],
  list: async (access) => {
    const { stanza, names } = access;
    const ids: string[] = [];
    for (const status of ['active', 'paused'] as const)
      for await (const { id } of stanza.scheduledMessages.list({ status })) ids.push(id);
    // Their ids are in the order of their making, so that new files have the same names each time.
    const details = await forEach(ids.sort(), (id) => stanza.scheduledMessages.get(id));
    const scheduled = details
      .filter((one) => !isOfMessage(one))
      .map((one): Scheduled => {
        const document = schedules.normal({
          ...one,
          template: names.keyOf('template', one.template_id),
          is_paused: one.status === 'paused',
        });
        return { id: one.id, document, hash: hashOfSchedule(document) };
      });
    return keyed(access, scheduled);
  },
  create: async ({ stanza }, document, _, idempotencyKey) => {
    const body = { ...bodyOf(document), ...timingOf(document) };
    const made = await stanza.scheduledMessages.create(body, { idempotencyKey });
    if (document.is_paused) await stanza.scheduledMessages.pause(made.id);
    return plainly(made);
  },
  update: async ({ stanza }, document, { document: before, found: { id } }) => {
    const { is_paused: isPaused = false } = document;
    const wasPaused = before.is_paused === true;
    // A pause comes first, and going on last, so that no run has what the change takes away.
    if (isPaused && !wasPaused) await stanza.scheduledMessages.pause(id);
    const timeOf = ({ send_at, cron }: JsonObject) => [Date.parse(String(send_at)), cron];
    const isAtSameTime = isSame(timeOf({ ...document }), timeOf(before));
    await stanza.scheduledMessages.update(id, {
      ...usualOptions,
      ...nothing,
      ...bodyOf(document),
      ...(!isAtSameTime && timingOf(document)),
    });
    if (wasPaused && !isPaused) await stanza.scheduledMessages.resume(id);
    return plainly({ id });
  },
  remove: async ({ stanza }, id) => {
    await stanza.scheduledMessages.cancel(id);
  },
});
