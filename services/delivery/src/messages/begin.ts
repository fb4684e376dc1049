import { CodedError } from '@stanza/contracts';
import { InvariantError } from '@stanza/runtime';
import { openAccess } from '../chat/access.ts';
import type { Dependencies } from '../dependencies.ts';
import { rowOf } from './accept.ts';
import { giveUp, type SharedOrder } from './give-up.ts';
import type { PreparedMessage } from './message.ts';
import type { MessageRow } from './message-tables.ts';
import type { Beginning, Begun } from './store/beginnings.ts';
import { findMessagesOf } from './store/messages.ts';
import { UnreadRepeat, unposted } from './verdict.ts';

type Messages = readonly [PreparedMessage, ...PreparedMessage[]];

/** Replacements of the connection that one request follows. */
const mostReplacements = 3;

const beginningOf = (
  { recipients }: Dependencies,
  { tenant, context }: SharedOrder,
  messages: Messages,
  remainingCredits: number,
): Beginning => ({
  tenant,
  operationId: context.operationId,
  connectionId: messages[0].access.connectionId,
  messages: messages.map((message) => ({
    ...rowOf(message, remainingCredits),
    channel: recipients.known(message.access, message.recipient),
  })),
});

/** The messages with access to the current connection. */
const reconnected = async (
  { connections, keyring }: Dependencies,
  { tenant }: SharedOrder,
  [first, ...others]: Messages,
): Promise<Messages> => {
  const access = openAccess(tenant, await connections.read(tenant), keyring);
  return [{ ...first, access }, ...others.map((message) => ({ ...message, access }))];
};

/** The answer of the statement was lost: it may have been committed nevertheless. */
class LostBeginning extends Error {
  override readonly name = 'LostBeginning';
}

const beginOnce = async ({ writes }: Pick<Dependencies, 'writes'>, beginning: Beginning): Promise<Begun> => {
  try {
    return await writes.begin(beginning);
  } catch (cause) {
    throw new LostBeginning('the answer of a beginning was lost', { cause });
  }
};

/** Repeats the statement with the current connection until none replaces it in between. */
const tryToBegin = async (
  dependencies: Dependencies,
  operation: SharedOrder,
  messages: Messages,
  remainingCredits: number,
): Promise<Messages | 'refused'> => {
  let current = messages;
  for (let replacements = 0; replacements <= mostReplacements; replacements++) {
    const beginning = beginningOf(dependencies, operation, current, remainingCredits);
    const begun = await beginOnce(dependencies, beginning);
    if (begun.kind === 'refused') return 'refused';
    if (begun.kind === 'begun') {
      const { postingAt } = begun;
      const channels = new Map(beginning.messages.map(({ id, channel }) => [id, channel]));
      const withPosting = (message: PreparedMessage): PreparedMessage => {
        const [at, channel] = [postingAt.get(message.id), channels.get(message.id)];
        return at && channel !== undefined ? { ...message, posting: { channel, postingAt: at } } : message;
      };
      const [first, ...others] = current;
      return [withPosting(first), ...others.map(withPosting)];
    }
    current = await reconnected(dependencies, operation, current);
  }
  throw new CodedError('service_unavailable', {
    message: 'The chat connection kept changing. Nothing was posted.',
    retry_after: 1,
  });
};

const rowsBegunBefore = async (
  { database }: Pick<Dependencies, 'database'>,
  { tenant, context }: SharedOrder,
): Promise<MessageRow[]> => {
  try {
    return await findMessagesOf(tenant, database, context.operationId);
  } catch (cause) {
    throw new UnreadRepeat(cause);
  }
};

/** The result of {@link begin}. */
export type Beginnings =
  /** Each message has an outcome from here on, whatever happens. */
  | { messages: Messages }
  /** The operation was begun before; these are its rows. */
  | { repeated: readonly [MessageRow, ...MessageRow[]] };

/**
 * Inserts the messages of a request whose credits are reserved, all of them or none, and takes the free slots of their
 * channels. Afterwards the operation can no longer be withdrawn; a withdrawn operation never begins.
 * @throws CodedError when nothing is posted, now or later, and the credits are released; without `nothing_done` where the
 * operation was begun before and its rows cannot be read
 */
export const begin = async (
  dependencies: Dependencies,
  operation: SharedOrder,
  messages: readonly PreparedMessage[],
  remainingCredits: number,
): Promise<Beginnings> => {
  const [first, ...others] = messages;
  if (!first) throw new InvariantError('a request has no message');
  const all: Messages = [first, ...others];
  try {
    const begun = await tryToBegin(dependencies, operation, all, remainingCredits);
    if (begun !== 'refused') return { messages: begun };
    const rows = await rowsBegunBefore(dependencies, operation);
    const [row, ...rest] = rows;
    if (row) return { repeated: [row, ...rest] };
    throw new CodedError('service_unavailable', {
      message: 'The request could not be accepted in time. Nothing was posted.',
      retry_after: 1,
      nothing_done: true,
    });
  } catch (err) {
    const isLost = err instanceof LostBeginning;
    const error = unposted(isLost ? err.cause : err);
    await giveUp(dependencies, operation, all, error, isLost);
    throw error;
  }
};
