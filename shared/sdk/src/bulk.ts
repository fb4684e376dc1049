import { type AnyCode, StanzaError } from './errors.ts';
import type { BulkResult, SendBulkBody, SendBulkReply } from './generated/types.ts';
import type { Answered, KeyedOptions } from './options.ts';

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

/** The longest idempotency key that the API takes. */
const longestKey = 255;

const keyOf = (key: string, index: number): string => `${key}~h${index}`;

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

/**
 * Sends to any number of destinations, a hundred with each request, one after the other. The key of each is made of the given one, so that
 * the whole may be repeated. Once something was sent, a request that fails is told as the failure of its destinations.
 */
export const inHundreds = async (
  body: SendBulkBody,
  options: KeyedOptions = {},
  send: Send,
): Promise<Answered<BulkReply>> => {
  const key = options.idempotencyKey ?? crypto.randomUUID();
  const whole = () => asOf(key, () => send(body, { ...options, idempotencyKey: key }));
  if (body.destinations.length <= most) return whole();
  const pieces = piecesOf(body);
  checkLength(key, pieces.length);
  let all: Answered<BulkReply> | undefined;
  for (const [index, piece] of pieces.entries()) {
    try {
      const own = { ...options, idempotencyKey: keyOf(key, index + 1) };
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
