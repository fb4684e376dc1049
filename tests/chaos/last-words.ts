import type { Evidence } from './evidence.ts';
import { type Heard, isFailure, isOpen, promisesOf } from './ledger.ts';
import type { Verdict } from './verdict.ts';

/** Keyed requests without a 2xx whose last answer, when nothing was broken any more, is not the truth. */
export const keysAnswered = ({ ledger, messages, changes }: Evidence): Verdict => {
  const keyed = ledger.wishes.filter((it) => it.key !== undefined);
  const last = keyed.flatMap((wish) => {
    const heard = wish.heard.at(-1);
    return heard === undefined || promisesOf(wish).length > 0 ? [] : [{ wish, heard }];
  });
  // An outcome that a lookup found was unknown when the key was answered, and the answer stays.
  const unknown = new Set(
    [...messages, ...changes]
      .filter((it) => it.status === 'unknown' || it.lookups > 0)
      .map((it) => it.organization_id),
  );
  const isTrue = ({ wish, heard }: (typeof last)[number]): boolean =>
    !isOpen(heard) &&
    (!isFailure(heard) || (codeOf(heard) === 'delivery_outcome_unknown' && unknown.has(wish.organization)));
  const broken = last
    .filter((it) => !isTrue(it))
    .map(({ wish, heard }) => `key ${wish.key} is answered ${codeOf(heard)} for good: ${textOf(heard)}`);
  return {
    name: 'a keyed request that had no effect runs when it is repeated; no lost answer stays final',
    figures: {
      keys: keyed.length,
      'unknown for good': last.filter(({ heard }) => codeOf(heard) === 'delivery_outcome_unknown').length,
    },
    broken,
  };
};

const codeOf = (heard: Heard): string =>
  heard.kind === 'broken' ? 'nothing' : heard.code || String(heard.status);

const textOf = (heard: Heard): string => (heard.kind === 'broken' ? heard.why : heard.text);

/** The messages that events have told of, by type. */
const told = ({ receiver }: Evidence): Map<string, Set<string>> => {
  const ids = new Map<string, Set<string>>();
  for (const { body } of receiver.received) {
    const { type, data } = Object(JSON.parse(body));
    const id: unknown = Object(data).message_id;
    if (typeof type !== 'string' || typeof id !== 'string') continue;
    ids.set(type, (ids.get(type) ?? new Set()).add(id));
  }
  return ids;
};

export const allTold = (evidence: Evidence): Verdict => {
  const { messages, followed } = evidence;
  const events = told(evidence);
  const broken = messages.flatMap(({ id, status }) =>
    (status === 'sent' || status === 'failed') && !events.get(`message.${status}`)?.has(id)
      ? [`no event tells that message ${id} is ${status}`]
      : [],
  );
  const watched = messages.filter((it) => it.organization_id === followed.organization);
  for (const { id, status } of watched) {
    const seen = followed.seen.get(id) ?? 'nothing';
    if (seen !== status) broken.push(`message ${id} is ${status}, and the stream ended with ${seen}`);
  }
  return {
    name: 'the end of each message arrives as an event, and is the last that the stream shows',
    figures: {
      events: [...events.values()].reduce((sum, ids) => sum + ids.size, 0),
      followed: watched.length,
    },
    broken,
  };
};
