import { isDeepStrictEqual } from 'node:util';
import {
  compileTemplate,
  createScheduledMessage,
  sendBulk,
  sendTemplate,
  updateMessage,
} from '@stanza/contracts';
import { cancelledIn, changesKept, removedIn } from './changes.ts';
import type { CreditRow, EventRow, Evidence, MessageRow } from './evidence.ts';
import { markersIn } from './evidence.ts';
import type { DoneFault } from './inject.ts';
import { allTold, keysAnswered } from './last-words.ts';
import { type Answer, promisesOf, type Wish } from './ledger.ts';
import { liveClosed } from './live-digests.ts';
import { compileClients } from './load.ts';
import type { Verdict } from './verdict.ts';

export type { Verdict } from './verdict.ts';

const grouped = <T>(these: Iterable<T>, by: (it: T) => string): Map<string, T[]> => Map.groupBy(these, by);

const ended = new Set(['delivered', 'failed', 'unknown']);

/** Where each event went: the posts that name it, and the deliveries that carried it. */
const arrivals = ({ posts, markersOf, receiver }: Evidence): Map<string, Set<string>> => {
  const seen = new Map<string, Set<string>>();
  const note = (marker: string, where: string) =>
    seen.set(marker, (seen.get(marker) ?? new Set()).add(where));
  for (const post of posts) for (const marker of markersOf.get(post) ?? []) note(marker, `post ${post.ts}`);
  for (const { headers, body } of receiver.received) {
    for (const marker of markersIn(body)) note(marker, `delivery ${headers['webhook-id']}`);
  }
  return seen;
};

/** A long digest names the first of its events alone, so what tells of the others is the post itself. */
const hasArrived = ({ message_id }: EventRow, arrived: number, posted: ReadonlySet<string>): boolean =>
  message_id === null ? arrived > 0 : posted.has(message_id);

const eventProblem = (
  marker: string,
  rows: EventRow[],
  arrived: number,
  posted: ReadonlySet<string>,
): string | undefined => {
  const [row] = rows;
  if (!row) return `event ${marker} was accepted and is lost`;
  const batches = rows.map((it) => it.batch_id).join(', ');
  if (rows.length > 1) return `event ${marker} is there ${rows.length} times, in ${batches}`;
  if (!ended.has(row.status) && !row.awaits_lookup)
    return `event ${marker}: batch ${row.batch_id} is still ${row.status}`;
  // It was retried when nothing was broken any more.
  if (row.status === 'failed')
    return `event ${marker}: batch ${row.batch_id} fails for ever with ${row.error}`;
  if (arrived > 1) return `event ${marker} of batch ${row.batch_id} arrived ${arrived} times`;
  if (row.status === 'delivered' && !hasArrived(row, arrived, posted)) {
    return `event ${marker}: batch ${row.batch_id} is delivered, and nothing arrived`;
  }
  return undefined;
};

const eventsOnce = (evidence: Evidence): Verdict => {
  const rows = grouped(evidence.events, (it) => it.marker);
  const seen = arrivals(evidence);
  const posted = new Set(evidence.posts.map((it) => String(it.key)));
  const promised = new Set(evidence.ledger.kept('push').flatMap((it) => it.markers));
  const all = new Set([...promised, ...rows.keys()]);
  const broken = [...all].flatMap(
    (marker) => eventProblem(marker, rows.get(marker) ?? [], seen.get(marker)?.size ?? 0, posted) ?? [],
  );
  const batches = [...grouped(evidence.events, (it) => it.batch_id).values()].flatMap(
    (it) => it[0]?.status ?? [],
  );
  return {
    name: 'each accepted event is in one batch, and the batch is delivered or visibly failed',
    figures: {
      'events promised': promised.size,
      'batches delivered': batches.filter((it) => it === 'delivered').length,
      failed: batches.filter((it) => it === 'failed').length,
      unknown: batches.filter((it) => it === 'unknown').length,
    },
    broken,
  };
};

const postedOnce = ({ posts, markersOf, ledger }: Evidence): Verdict => {
  const broken: string[] = [];
  for (const [key, same] of grouped(posts, (it) => String(it.key))) {
    if (same.length > 1) broken.push(`message ${key} was posted ${same.length} times`);
  }
  const byWish = grouped(
    posts.flatMap((post) => (markersOf.get(post) ?? []).map((marker) => `${marker} in ${post.channel}`)),
    (it) => it,
  );
  for (const [what, same] of byWish)
    if (same.length > 1) broken.push(`${what} was posted ${same.length} times`);
  const repeated = ledger.wishes.filter((it) => it.heard.length > 1);
  return {
    name: 'nothing is posted twice for one key, bulk item, batch or run',
    figures: { posts: posts.length, 'requests asked for again': repeated.length },
    broken,
  };
};

/** Milliseconds before and after a fault within which a post may have lost its answer. */
const beforeMs = 16_000;
const afterMs = 20_000;

/** Whether a moment is in the time of a fault, or this many milliseconds before or after it. */
const isWithin = (at: number, faults: readonly DoneFault[], beforeMs: number, afterMs: number): boolean =>
  faults.some((it) => at >= it.begun - beforeMs && at <= it.ended + afterMs);

const losesAnswers = ({ harm }: DoneFault): boolean => {
  if (harm.kind === 'platform') return harm.mode !== 'rate_limited';
  // A wrong clock loses nothing.
  if (harm.kind === 'clock' || harm.kind === 'long reader') return false;
  if ('process' in harm) return harm.process.startsWith('delivery') && !('to' in harm && harm.to === 'nats');
  // An outcome that cannot be written may be lost with its sender.
  return /^(?:restart|read-only) Postgres|^no free connections$/.test(harm.kind);
};

const rowsAndPosts = (evidence: Evidence): Verdict => {
  const { posts, messages, faults } = evidence;
  const removed = removedIn(evidence);
  const rows = new Map(messages.map((it) => [it.id, it]));
  const posted = new Set(posts.map((it) => String(it.key)));
  const broken = [...posted].filter((key) => !rows.has(key)).map((key) => `post ${key} has no message row`);
  const causes = faults.filter(losesAnswers);
  for (const { id, status, posting_at, has_state } of messages) {
    const at = posting_at?.getTime() ?? 0;
    const hasCause = isWithin(at, causes, beforeMs, afterMs);
    if (!has_state) broken.push(`message ${id} has not one state that is its own`);
    if (status === 'accepted' || status === 'posting') broken.push(`message ${id} has no outcome: ${status}`);
    if (status === 'sent' && !posted.has(id) && !removed.has(id))
      broken.push(`message ${id} is sent, and nothing was posted`);
    if (status === 'failed' && posted.has(id)) broken.push(`message ${id} is failed, and was posted`);
    if (status === 'unknown' && !hasCause) broken.push(`message ${id} is unknown without a cause`);
  }
  const counted = (status: string) => messages.filter((it) => it.status === status).length;
  const figures = { posts: posts.length, sent: counted('sent'), failed: counted('failed') };
  const unknown = messages.filter((it) => it.status === 'unknown');
  return {
    name: 'each post has its row, each row its outcome; unknown only where a reply was lost',
    figures: {
      ...figures,
      unknown: unknown.length,
      'of these posted': unknown.filter((it) => posted.has(it.id)).length,
    },
    broken,
  };
};

/** Ids of compiles that were answered. */
const answeredCompiles = ({ ledger }: Evidence): Set<string> =>
  new Set(
    ledger
      .kept('compile')
      .flatMap((it) =>
        promisesOf(it).map(({ text }) => compileTemplate.reply.parse(JSON.parse(text)).credit_log_id),
      ),
  );

/** Accounts that are not what their rows add up to. */
const wrongAccounts = ({ accounts }: Evidence): string[] =>
  accounts.flatMap(({ organization_id, balance, reserved, ledger, held, old }) => [
    ...(balance === ledger ? [] : [`organization ${organization_id}: balance ${balance}, ledger ${ledger}`]),
    ...(reserved === held ? [] : [`organization ${organization_id}: reserved ${reserved}, held ${held}`]),
    ...(old === '0' ? [] : [`organization ${organization_id}: ${old} reservations older than a minute`]),
  ]);

/** Milliseconds from the acceptance of a message until it is ended for a sender that is gone, at most. */
const sendersLifeMs = 35_000;

/** Whether a sender may have been kept from writing for longer than it has, though the platform answered it. */
const holdsSender = ({ harm }: DoneFault): boolean =>
  (harm.kind === 'long freeze' || (harm.kind === 'silence' && harm.to === 'postgres')) &&
  harm.process.startsWith('delivery');

/** Charges without an accepted message, and the reverse. */
const wrongCharges = (charges: readonly CreditRow[], { messages, changes, faults }: Evidence): string[] => {
  const holding = faults.filter(holdsSender);
  const all = [...messages, ...changes];
  const charged = new Map(all.filter((it) => it.charged).map((it) => [it.credit_log_id, it.id]));
  const known = new Set(charges.map((it) => it.id));
  return [
    ...charges
      .filter(({ id }) => !charged.has(id))
      .map(({ id }) => `charge ${id} is for no accepted message`),
    ...[...charged]
      .filter(([id]) => !known.has(id))
      .map(([id, message]) => `message ${message} lacks charge ${id}`),
    // One that was found later had its credit released by then, as had one whose sender was held for too long.
    ...messages
      .filter(({ status, charged: was, lookups }) => status === 'sent' && !was && lookups === 0)
      .filter(({ posting_at }) => !isWithin(posting_at?.getTime() ?? 0, holding, sendersLifeMs, 0))
      .map(({ id }) => `message ${id} was sent at once and not charged`),
  ];
};

/**
 * Whether a gateway may have been kept from telling that answers have left until their charges are taken back: between
 * the write of an answer and the note that it left lies a turn of the loop.
 */
const losesConfirmations = ({ harm }: DoneFault): boolean =>
  (harm.kind === 'kill' || harm.kind === 'long freeze' || (harm.kind === 'silence' && harm.to === 'nats')) &&
  harm.process.startsWith('gateway');

/** Compiles with a charge or an answer and not both, as far as the design has no reason for it. */
const comparedCompiles = (evidence: Evidence, standing: readonly CreditRow[]) => {
  const answered = answeredCompiles(evidence);
  const unheard = standing.filter((it) => !answered.has(it.id)).length;
  const free = answered.size - (standing.length - unheard);
  const breaks = evidence.ledger.wishes
    .filter((it) => it.work === 'compile')
    .filter((it) => it.heard.some((one) => one.kind === 'broken')).length;
  const { length: losses } = evidence.faults.filter(losesConfirmations);
  const broken: string[] = [];
  if (unheard > breaks)
    broken.push(`${unheard} compiles are charged without an answer, ${breaks} connections broke`);
  if (free > losses * compileClients)
    broken.push(`${free} answered compiles are not charged, after ${losses} faults that explain some`);
  return { unheard, free, broken };
};

const creditsAddUp = (evidence: Evidence): Verdict => {
  const { credits, messages } = evidence;
  const reversed = new Set(credits.filter((it) => it.kind === 'reversal').map((it) => it.operation_id));
  const charges = credits.filter((it) => it.kind === 'charge');
  const forMessages = charges.filter((it) => it.operation !== 'compile');
  const standing = charges.filter((it) => it.operation === 'compile' && !reversed.has(it.operation_id));
  const compiles = comparedCompiles(evidence, standing);
  return {
    name: 'balance = grants − ledger, accepted messages = charges, no old reservation',
    figures: {
      'messages charged': forMessages.length,
      'found later and free': messages.filter((it) => it.status === 'sent' && !it.charged).length,
      'compiles charged': standing.length,
      'of a lost gateway and free': compiles.free,
      'charged, answer lost with its connection': compiles.unheard,
    },
    broken: [...wrongAccounts(evidence), ...wrongCharges(forMessages, evidence), ...compiles.broken],
  };
};

const bodyOf = ({ text }: Answer): unknown => JSON.parse(text);

/** The charges of the messages that an answer called sent. */
const promisedCharges = (wish: Wish, answer: Answer): string[] => {
  if (wish.work === 'send' || wish.work === 'keyed') {
    const { credit_log_id } = sendTemplate.reply.parse(bodyOf(answer));
    return credit_log_id === undefined ? [] : [credit_log_id];
  }
  if (wish.work === 'update') {
    const { credit_log_id } = updateMessage.reply.parse(bodyOf(answer));
    return credit_log_id === undefined ? [] : [credit_log_id];
  }
  if (wish.work !== 'bulk') return [];
  return sendBulk.reply.parse(bodyOf(answer)).results.flatMap((it) => it.credit_log_id ?? []);
};

const answersKept = (evidence: Evidence): Verdict => {
  const { ledger, messages, changes, posts, credits, runs } = evidence;
  const broken = ledger.surprises.map((it) => `answer: ${it}`);
  const posted = new Set(posts.map((it) => String(it.key)));
  const removed = removedIn(evidence);
  const cancelled = cancelledIn(evidence);
  const isThere = ({ id, status, revises }: MessageRow): boolean =>
    removed.has(id) || (status === 'sent' && (posted.has(id) || revises !== null));
  const sent = new Set([...messages, ...changes].filter(isThere).map((it) => it.credit_log_id));
  const lines = new Set(credits.map((it) => it.id));
  const ran = new Set(runs.map((it) => it.scheduled_message_id));
  for (const wish of ledger.wishes) {
    const [first, ...others] = promisesOf(wish);
    if (!first) continue;
    const isOneAnswer =
      wish.key === undefined || others.every((it) => isDeepStrictEqual(bodyOf(it), bodyOf(first)));
    if (!isOneAnswer) broken.push(`key ${wish.key} has several answers of 2xx`);
    for (const id of promisedCharges(wish, first)) {
      if (!sent.has(id)) broken.push(`a message was answered as sent with charge ${id}, and is not`);
    }
  }
  for (const id of answeredCompiles(evidence))
    if (!lines.has(id)) broken.push(`compile ${id} is in no ledger`);
  for (const wish of ledger.kept('schedule')) {
    const [first] = promisesOf(wish);
    const id = first && createScheduledMessage.reply.parse(bodyOf(first)).id;
    if (id && !ran.has(id) && !cancelled.has(id))
      broken.push(`scheduled message ${id} was accepted and never ran`);
  }
  const answers = ledger.wishes.flatMap((it) => it.heard);
  const of = (from: number, to: number) =>
    answers.filter((it) => it.kind === 'answer' && it.status >= from && it.status < to).length;
  return {
    name: 'no request answered 2xx was lost; each 5xx was a coded error',
    figures: {
      '2xx': of(200, 300),
      'of these replayed': answers.filter((it) => it.kind === 'answer' && it.replayed).length,
      '4xx': of(400, 500),
      '5xx': of(500, 600),
      'connections broken': answers.filter((it) => it.kind === 'broken').length,
    },
    broken,
  };
};

const recovered = ({ recoveryMs, recovered: isUp, recoveryLimitMs, late, unrest }: Evidence): Verdict => {
  const broken: string[] = [];
  if (!isUp) broken.push(`not all services answered within ${recoveryLimitMs} ms: ${late.join(', ')}`);
  for (const [what, count] of Object.entries(unrest)) broken.push(`${count} ${what} did not come to rest`);
  return {
    name: 'all services are ready again in time after the last fault, and all work comes to rest',
    figures: { 'milliseconds until ready': Math.round(recoveryMs), 'allowed at most': recoveryLimitMs },
    broken,
  };
};

/** Checks all invariants. */
export const checkInvariants = (evidence: Evidence): Verdict[] => [
  eventsOnce(evidence),
  postedOnce(evidence),
  rowsAndPosts(evidence),
  creditsAddUp(evidence),
  answersKept(evidence),
  recovered(evidence),
  keysAnswered(evidence),
  allTold(evidence),
  changesKept(evidence),
  liveClosed(evidence),
];
