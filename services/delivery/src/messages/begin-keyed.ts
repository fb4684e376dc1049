import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '@stanza/contracts';
import type { Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { type Beginnings, rowOf } from './begin.ts';
import { insertBehind, tooLate } from './begin-change.ts';
import { locate } from './deliver.ts';
import { giveUp, type SharedOrder } from './give-up.ts';
import type { Keyed, PreparedChange, PreparedMessage, Standing } from './message.ts';
import type { MessageRow } from './message-tables.ts';
import { claimKey, holderOf, takeKey } from './store/message-keys.ts';
import { findMessagesOf, insertMessage, isSome } from './store/messages.ts';
import { claimOperation } from './store/reservations.ts';
import { changeIdFrom, numbersOf } from './store/revisions.ts';
import { UnreadRepeat, unposted } from './verdict.ts';

/** Milliseconds between two looks at a message that is being sent: the first, and the longest. */
const looksMs = { first: 50, longest: 500 } as const;
/** Milliseconds that the wait for it leaves for the post. */
const postRoomMs = 3_000;

/** The message of a key has no outcome yet. */
export class StillOpen extends Error {
  override readonly name = 'StillOpen';
  readonly row: MessageRow;

  constructor(row: MessageRow) {
    super('the message of a key has no outcome yet');
    this.row = row;
  }
}

const waitedInVain = ({ row: { id, status, message_key } }: StillOpen): CodedError =>
  new CodedError('invalid_state', {
    message: `The message ${id} of the key ${JSON.stringify(message_key)} is ${status}. Nothing was posted. Try again once GET /v1/messages/${id} shows its outcome.`,
    details: id,
    nothing_done: true,
  });

const namedTwice = ({ key, onExisting }: Keyed): CodedError =>
  new CodedError('invalid_state', {
    message: `The key ${JSON.stringify(key)} is that of another destination of the request in the same conversation, which is to be sent first. Nothing was posted. Use \`update\` in place of \`${onExisting}\`, or another request.`,
    nothing_done: true,
  });

/** A message with a key, and its conversation. */
export interface Named {
  message: PreparedMessage;
  keyed: Keyed;
  channel: string;
}

/** The conversation of a message, or why none is found. */
const channelOf = async (
  dependencies: Dependencies,
  message: PreparedMessage,
): Promise<string | CodedError> => {
  try {
    return await locate(dependencies, message);
  } catch (err) {
    if (err instanceof CodedError) return err;
    throw err;
  }
};

const insertPost = async (
  tx: Transaction,
  message: PreparedMessage,
  remainingCredits: number,
): Promise<PreparedMessage> => {
  if (await insertMessage(message.tenant, tx, rowOf(message, remainingCredits))) return message;
  throw tooLate();
};

/** A message that counts as gone from its conversation, so that another takes its key. */
const isGone = ({ status, lookup_due_at, workspace_id }: MessageRow, { access }: PreparedMessage): boolean =>
  status === 'failed' ||
  status === 'deleted' ||
  workspace_id !== access.workspaceId ||
  (status === 'unknown' && lookup_due_at === null);

/** Where a message stands that a call with its key leaves as it is; undefined for one that changes it. */
export const standingOf = (
  { onExisting }: Keyed,
  { channel, message_ts: messageTs, revision: unchanged }: MessageRow,
): Standing | undefined =>
  onExisting === 'skip' && channel !== null && messageTs !== null
    ? { channel, messageTs, unchanged }
    : undefined;

/** What becomes of a message whose key another has: a change of that one, a reply to it, or a post of its own. */
const insertNext = async (
  tx: Transaction,
  { message, keyed, channel }: Named,
  row: MessageRow,
  remainingCredits: number,
): Promise<PreparedMessage | PreparedChange> => {
  const { tenant } = message;
  const { onExisting } = keyed;
  const isOpen = row.status === 'accepted' || row.status === 'posting';
  const isOfSame = row.operation_id === message.context.operationId;
  if (isOfSame && onExisting !== 'update') throw namedTwice(keyed);
  if (row.status === 'unknown' || (isOpen && onExisting !== 'update')) throw new StillOpen(row);
  if (onExisting === 'post') {
    await takeKey(tenant, tx, { message_key: keyed.key, channel, message_id: message.id });
    return insertPost(tx, message, remainingCredits);
  }
  const { id, workspace_id: workspaceId, thread_ts: threadTs } = row;
  if (onExisting === 'reply') {
    return insertPost(tx, { ...message, threadTs: threadTs ?? row.message_ts }, remainingCredits);
  }
  const { next } = await numbersOf(tenant, tx, id);
  const revises = { id, change: 'update' as const, workspaceId, threadTs };
  const standing = standingOf(keyed, row);
  const change = { ...message, id: changeIdFrom(message.id), revises, ...(standing && { standing }) };
  return insertBehind(tx, change, next, remainingCredits);
};

/** Inserts a message as what its key makes of it, under the lock of the key. */
export const insertNamed = async (
  tx: Transaction,
  named: Named,
  remainingCredits: number,
): Promise<PreparedMessage | PreparedChange> => {
  const { message, keyed, channel } = named;
  const wish = { message_key: keyed.key, channel, message_id: message.id };
  const holder = await claimKey(message.tenant, tx, wish);
  if (holder === message.id) return insertPost(tx, message, remainingCredits);
  const row = await holderOf(message.tenant, tx, holder);
  if (row && !isGone(row, message)) return insertNext(tx, named, row, remainingCredits);
  await takeKey(message.tenant, tx, wish);
  return insertPost(tx, message, remainingCredits);
};

type All = readonly [PreparedMessage, ...PreparedMessage[]];

/** Keys are taken in their order, so that two requests never wait for each other. */
const byKey = (one: Named, other: Named): number => {
  const [a, b] = [one, other].map(({ keyed, channel }) => `${keyed.key} ${channel}`);
  if (a === b) return one.message.item - other.message.item;
  return (a ?? '') < (b ?? '') ? -1 : 1;
};

/** Inserts all messages of an operation, each as what its key makes of it, or none. */
const insertAll = (
  { database }: Pick<Dependencies, 'database'>,
  { tenant, context }: SharedOrder,
  { plain, named }: { plain: readonly PreparedMessage[]; named: readonly Named[] },
  remainingCredits: number,
): Promise<PreparedMessage[] | undefined> =>
  database.transaction(async (tx) => {
    if (!(await claimOperation(tenant, tx, context.operationId))) return undefined;
    const begun: PreparedMessage[] = [];
    for (const message of plain) begun.push(await insertPost(tx, message, remainingCredits));
    for (const one of named) begun.push(await insertNamed(tx, one, remainingCredits));
    return begun.toSorted((one, other) => one.item - other.item);
  });

/** Repeats the transaction until no message of a key is open, within the deadline. */
const insertOnceSettled = async (
  dependencies: Pick<Dependencies, 'database'>,
  operation: SharedOrder,
  ...rest: [Parameters<typeof insertAll>[2], number]
): Promise<PreparedMessage[] | undefined> => {
  for (let delay: number = looksMs.first; ; delay = Math.min(delay * 2, looksMs.longest)) {
    try {
      return await insertAll(dependencies, operation, ...rest);
    } catch (err) {
      if (!(err instanceof StillOpen)) throw err;
      if (operation.deadline.before(postRoomMs).remaining < delay) throw waitedInVain(err);
    }
    await pause(delay);
  }
};

/** A message whose conversation is not found has no place under its key. It must not find it later, and fails of that. */
const sortOut = async (dependencies: Dependencies, messages: All) => {
  const named: Named[] = [];
  const plain: PreparedMessage[] = [];
  const sort = async (message: PreparedMessage): Promise<void> => {
    const { keyed } = message;
    const channel = keyed && (await channelOf(dependencies, message));
    if (keyed && typeof channel === 'string') named.push({ message, keyed, channel });
    else plain.push(channel instanceof CodedError ? { ...message, unlocated: channel } : message);
  };
  await Promise.all(messages.map(sort));
  return { named: named.toSorted(byKey), plain };
};

const begunBefore = async (
  { database }: Pick<Dependencies, 'database'>,
  { tenant, context }: SharedOrder,
): Promise<readonly MessageRow[]> => {
  try {
    return await findMessagesOf(tenant, database, context.operationId);
  } catch (cause) {
    throw new UnreadRepeat(cause);
  }
};

/**
 * Begins the messages of a request some of which have keys, all of them or none: each becomes a post, or a change of the
 * message that has its key. Calls with a key take turns; none overtakes a message whose outcome is not known.
 * @throws CodedError when nothing is posted, now or later, and the credits are released
 */
export const beginKeyed = async (
  dependencies: Dependencies,
  operation: SharedOrder,
  messages: readonly PreparedMessage[],
  remainingCredits: number,
): Promise<Beginnings> => {
  try {
    const [first, ...others] = messages;
    if (!first) throw tooLate();
    const sorted = await sortOut(dependencies, [first, ...others]);
    const [begun, ...rest] =
      (await insertOnceSettled(dependencies, operation, sorted, remainingCredits)) ?? [];
    if (begun) return { messages: [begun, ...rest] };
    const rows = await begunBefore(dependencies, operation);
    if (isSome(rows)) return { repeated: rows };
    throw tooLate();
  } catch (err) {
    const error = unposted(err);
    await giveUp(dependencies, operation, messages, error, !(err instanceof CodedError));
    throw error;
  }
};
