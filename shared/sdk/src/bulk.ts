import { type AnyCode, StanzaError } from './errors.ts';
import type { BulkResult, SendBulkBody, SendBulkReply } from './generated/types.ts';
import type { Answered, CallOptions, KeyedOptions } from './options.ts';

/** Destinations that one request may have. */
const most = 100;

/** What became of one destination; its code may be the client's where its whole request has failed. */
export type BulkOutcome = Partial<Omit<BulkResult, 'error'>> &
  Pick<BulkResult, 'destination' | 'success'> & { error?: AnyCode };

/** What became of all destinations. */
export type BulkReply = Omit<SendBulkReply, 'results'> & {
  /** One for each destination, in their order. */
  results: BulkOutcome[];
};

type Send = (body: SendBulkBody, options: KeyedOptions) => Promise<Answered<SendBulkReply>>;

const piecesOf = (body: SendBulkBody): SendBulkBody[] =>
  Array.from({ length: Math.ceil(body.destinations.length / most) }, (_, index) => ({
    ...body,
    destinations: body.destinations.slice(index * most, (index + 1) * most),
  }));

/** The destinations of a request that failed as a whole. */
const failures = ({ destinations }: SendBulkBody, error: AnyCode): BulkOutcome[] =>
  destinations.map(({ channel_id, recipient_email, recipient_chat_id }) => ({
    destination: {
      ...(channel_id && { channel_id }),
      ...(recipient_email && { recipient_email }),
      ...(recipient_chat_id && { recipient_chat_id }),
    },
    success: false,
    error,
  }));

/** Rounds that may bring nothing before the rest is left as it is. */
const idleRounds = 3;

/** Milliseconds before a round; twice as many after one that has brought nothing. */
const roundMs = 2_000;

/** The longest idempotency key that the API takes. */
const longestKey = 255;

const keyOf = (key: string, index: number, round = 0): string =>
  `${key}~${round === 0 ? '' : `r${round}`}h${index}`;

/** @throws TypeError where the last of the keys that are made of it would be too long */
const checkLength = (key: string, count: number): void => {
  const most = longestKey - keyOf('', count).length;
  if (key.length > most)
    throw new TypeError(
      `\`idempotencyKey\` has ${key.length} characters: for ${count} requests it may have ${most}, since the number of each is added`,
    );
};

/** Runs a request under a key that was made of the given one, and tells of it by the given one: that repeats the call. */
const asOf = async <T>(key: string, request: () => Promise<Answered<T>>): Promise<Answered<T>> => {
  try {
    const reply = await request();
    reply.$answer.idempotencyKey = key;
    return reply;
  } catch (error) {
    throw error instanceof StanzaError ? Object.assign(error, { idempotencyKey: key }) : error;
  }
};

/** Sends a hundred with each request, one after the other; the keys of a round differ from those of another. */
const inRequests = async (
  body: SendBulkBody,
  { key, round, ...options }: CallOptions & { key: string; round: number },
  send: Send,
): Promise<Answered<BulkReply>> => {
  const whole = () => {
    const idempotencyKey = round === 0 ? key : keyOf(key, 1, round);
    return asOf(key, () => send(body, { ...options, idempotencyKey }));
  };
  if (body.destinations.length <= most) return whole();
  let all: Answered<BulkReply> | undefined;
  for (const [index, piece] of piecesOf(body).entries()) {
    try {
      const own = { ...options, idempotencyKey: keyOf(key, index + 1, round) };
      const reply = await asOf(key, () => send(piece, own));
      if (all === undefined) all = reply;
      else add(all, reply);
    } catch (error) {
      if (all === undefined || !(error instanceof StanzaError)) throw error;
      const results = failures(piece, error.code);
      add(all, { success: false, results, total_sent: 0, total_failed: results.length, warnings: [] });
    }
  }
  return all ?? whole();
};

/** Puts the results of another round in the place of those that it was made for. */
const replace = (all: BulkReply, indexes: readonly number[], more: BulkReply): void => {
  for (const [at, index] of indexes.entries()) {
    const result = more.results[at];
    if (result) all.results[index] = result;
  }
  all.total_sent = all.results.filter(({ success }) => success).length;
  all.total_failed = all.results.length - all.total_sent;
  all.success = all.total_failed === 0;
  all.remaining_credits = more.remaining_credits;
  all.warnings = [...new Set([...all.warnings, ...more.warnings])];
};

/**
 * Sends to any number of destinations, a hundred with each request, one after the other. The key of each is made of
 * the given one, so that the whole may be repeated. Once something was sent, a request that fails is told as the
 * failure of its destinations. Destinations where nothing was posted and that may be tried again are tried again, for
 * as long as that brings something.
 *
 * @param pause waits for milliseconds; throws where the caller's signal ends all
 */
export const inHundreds = async (
  body: SendBulkBody,
  { idempotencyKey: key, ...options }: KeyedOptions & { idempotencyKey: string },
  send: Send,
  pause: (milliseconds: number) => Promise<void>,
): Promise<Answered<BulkReply>> => {
  // A program without types may have left them out; the answer says so.
  if (!Array.isArray(body.destinations)) return send(body, { ...options, idempotencyKey: key });
  const count = Math.ceil(body.destinations.length / most);
  if (count > 1) checkLength(key, count);
  const all = await inRequests(body, { ...options, key, round: 0 }, send);
  let idle = 0;
  for (let round = 1; idle < idleRounds && keyOf(key, count, round).length <= longestKey; round += 1) {
    const again = all.results.flatMap(({ success, retryable }, index) =>
      !success && retryable ? index : [],
    );
    if (again.length === 0) break;
    const destinations = again.flatMap((index) => body.destinations[index] ?? []);
    try {
      await pause(roundMs * 2 ** idle);
      const more = await inRequests({ ...body, destinations }, { ...options, key, round }, send);
      idle = more.total_sent === 0 ? idle + 1 : 0;
      replace(all, again, more);
    } catch (error) {
      // What was sent before is answered, with the results that it had.
      if (error instanceof StanzaError) break;
      throw error;
    }
  }
  return all;
};

/** Adds to a reply what another request came to. */
const add = (
  all: BulkReply,
  more: Pick<BulkReply, 'success' | 'results' | 'total_sent' | 'total_failed' | 'warnings'> &
    Partial<Pick<BulkReply, 'remaining_credits'>>,
): void => {
  all.success &&= more.success;
  all.results.push(...more.results);
  all.total_sent += more.total_sent;
  all.total_failed += more.total_failed;
  all.remaining_credits = more.remaining_credits ?? all.remaining_credits;
  all.warnings = [...new Set([...all.warnings, ...more.warnings])];
};
