import { sendTemplate, updateMessage } from '@stanza/contracts';
import { type Evidence, type MessageRow, markersIn } from './evidence.ts';
import { type Answer, promisesOf, type Wish } from './ledger.ts';
import type { Verdict } from './verdict.ts';

/** The messages that a deletion has, or may have, taken out of their channel. */
export const removedIn = ({ changes }: Evidence): Set<string> =>
  new Set(
    changes
      .filter(({ change, status }) => change === 'delete' && (status === 'sent' || status === 'unknown'))
      .flatMap(({ revises }) => revises ?? []),
  );

const asked = ({ ledger }: Evidence, work: Wish['work']): Wish[] =>
  ledger.wishes.filter((it) => it.work === work);

const idIn = ({ path }: Wish): string => /[0-9a-f-]{36}/.exec(path)?.[0] ?? '';

/** The schedules that someone wanted cancelled. */
export const cancelledIn = (evidence: Evidence): Set<string> => new Set(asked(evidence, 'cancel').map(idIn));

const lastPromise = (wish: Wish): Answer | undefined => promisesOf(wish).at(-1);

/** The revision that a post names; the first names none. */
const revisionOf = (post: object): unknown =>
  Object(Object(Object(post).metadata).event_payload).revision ?? 1;

const wrongMessages = ({ messages, changes, posts }: Evidence): string[] => {
  const ofMessage = Map.groupBy(changes, ({ revises }) => revises ?? '');
  const posted = new Map(posts.map((post) => [String(post.key), post]));
  const wrong = ({ id, status, revision }: MessageRow): string[] => {
    const own = ofMessage.get(id) ?? [];
    const last = Math.max(1, ...own.filter((it) => it.status === 'sent').map((it) => it.revision));
    const post = posted.get(id);
    if (own.some((it) => it.status === 'unknown')) return [];
    if (last !== revision) return [`message ${id} shows revision ${revision}, and ${last} was made`];
    if (status === 'deleted' && post) return [`message ${id} is deleted, and is in its channel`];
    if (status === 'sent' && post && revisionOf(post) !== revision)
      return [`message ${id} is at revision ${revision}, and its channel at ${revisionOf(post)}`];
    return [];
  };
  return messages.flatMap(wrong);
};

const lostUpdates = (evidence: Evidence): string[] => {
  const shown = new Map(evidence.messages.map(({ id, revision }) => [id, revision]));
  return asked(evidence, 'update').flatMap((wish) => {
    const answer = lastPromise(wish);
    if (answer === undefined) return [];
    const { message_id: id, revision } = updateMessage.reply.parse(JSON.parse(answer.text));
    return (shown.get(id) ?? 0) >= revision
      ? []
      : [`revision ${revision} of ${id} was answered, and is lost`];
  });
};

/** The messages that sends with a key were answered with, each with its revision. */
const keyedIn = (evidence: Evidence) =>
  asked(evidence, 'keyed').flatMap((wish) => {
    const answer = lastPromise(wish);
    if (answer === undefined) return [];
    const { message_id: id, revision = 1 } = sendTemplate.reply.parse(JSON.parse(answer.text));
    const { message_key, on_existing } = Object(wish.body);
    return [
      { key: `${message_key} of ${wish.organization}`, id, revision, isReply: on_existing === 'reply' },
    ];
  });

const wrongKeys = (evidence: Evidence): string[] => {
  const rows = new Map(evidence.messages.map((it) => [it.id, it]));
  const keyed = keyedIn(evidence);
  const lost = keyed
    .filter(({ id, revision }) => (rows.get(id)?.revision ?? 0) < revision)
    .map(({ id, key, revision }) => `revision ${revision} of ${id}, of the key ${key}, is lost`);
  const updates = Map.groupBy(
    keyed.filter((it) => !it.isReply),
    ({ key }) => key,
  );
  // One whose answer was lost may be found after the key has another message.
  const isSure = (id: string): boolean => rows.get(id)?.status === 'sent' && rows.get(id)?.lookups === 0;
  const doubled = [...updates].flatMap(([key, same]) => {
    const ids = new Set(same.map(({ id }) => id).filter(isSure));
    return ids.size > 1 ? [`the key ${key} has ${ids.size} messages: ${[...ids].join(', ')}`] : [];
  });
  return [...lost, ...doubled];
};

const lateRuns = (evidence: Evidence): string[] => {
  const ended = new Map(
    asked(evidence, 'cancel').map((wish) => [
      idIn(wish),
      lastPromise(wish)?.until ?? Number.POSITIVE_INFINITY,
    ]),
  );
  return evidence.messages
    .filter(
      ({ origin_id, posting_at }) => (posting_at?.getTime() ?? 0) > (ended.get(origin_id ?? '') ?? Infinity),
    )
    .map(({ id, origin_id }) => `message ${id} was begun after its schedule ${origin_id} was cancelled`);
};

const unrecorded = (evidence: Evidence): string[] => {
  const { written, exported } = evidence.audited;
  const told = new Set(written.flatMap(({ facts }) => markersIn(facts)));
  const kept = asked(evidence, 'edit').filter((it) => promisesOf(it).length > 0);
  return [
    ...kept.flatMap(({ markers }) =>
      markers.filter((it) => !told.has(it)).map((it) => `${it} is not on record`),
    ),
    ...written.filter(({ id }) => !exported.has(id)).map(({ id }) => `the export lacks the entry ${id}`),
  ];
};

/** Changes of messages, schedules and queues. */
export const changesKept = (evidence: Evidence): Verdict => ({
  name: 'a message shows the last change that was made, a key has one message, a cancelled schedule begins no post, changes are on record',
  figures: {
    changes: evidence.changes.length,
    'of these sent': evidence.changes.filter((it) => it.status === 'sent').length,
    'sends with a key': keyedIn(evidence).length,
    'schedules cancelled': asked(evidence, 'cancel').filter((it) => promisesOf(it).length > 0).length,
    'audit entries': evidence.audited.written.length,
  },
  broken: [
    ...wrongMessages(evidence),
    ...lostUpdates(evidence),
    ...wrongKeys(evidence),
    ...lateRuns(evidence),
    ...unrecorded(evidence),
  ],
});
