import { CodedError } from '@stanza/contracts';
import type { Transaction } from '@stanza/runtime';
import type { ChatAccess } from '../chat/platform.ts';
import { openAccess } from '../connections/chat-access.ts';
import { minPostMs } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { keptChanging, LostBeginning, maxReplacements, rowOf } from './begin.ts';
import { giveUp } from './give-up.ts';
import type { PreparedChange, Revised } from './message.ts';
import type { MessageRow } from './message-tables.ts';
import { recordDeletionRequest } from './record-deletion.ts';
import { beginChangeRow, type ChangeBeginning, type ChangeBegun } from './store/change-beginnings.ts';
import { findMessageOf, insertMessage } from './store/messages.ts';
import { UnreadRepeat, unposted } from './verdict.ts';

const ways: Partial<Record<MessageRow['status'], string>> = {
  accepted: 'It is being sent; try again once it is `sent`.',
  posting: 'It is being sent; try again once it is `sent`.',
  failed: 'It was never posted; send a new one.',
  unknown: 'It is not known whether it was posted; GET /v1/messages/{id} shows when a lookup has found it.',
  deleted: 'It is no longer in its channel; send a new one.',
};

/** The refusal of a change of a message that is not in its channel. */
export const notSent = ({ id, status }: Pick<MessageRow, 'id' | 'status'>): CodedError =>
  new CodedError('invalid_state', {
    message: `The message is ${status}, not sent. ${ways[status] ?? ''}`.trim(),
    details: id,
  });

/**
 * Refuses a change of what is not in its channel.
 * @throws CodedError `invalid_state`, with the way out
 */
export const needsSent = ({
  id,
  status,
  visible_to,
}: Pick<MessageRow, 'id' | 'status' | 'visible_to'>): void => {
  if (visible_to !== null) {
    throw new CodedError('invalid_state', {
      message:
        'The message is visible to one person. The platform neither updates nor deletes such messages; send another.',
      details: id,
    });
  }
  if (status !== 'sent') throw notSent({ id, status });
};

const needsRevision = (expected: number | undefined, current: number): void => {
  if (expected === undefined || expected === current) return;
  throw new CodedError('message_changed', {
    message: `The message is at revision ${current}, not at ${expected}.`,
    details: String(current),
  });
};

/** Refuses a change of a message in a workspace that the environment has no longer. */
export const needsWorkspace = ({ workspaceId }: Revised, access: ChatAccess): void => {
  if (access.workspaceId === workspaceId) return;
  throw new CodedError('chat_not_connected', {
    message: 'The message was posted in another workspace than the one now connected.',
  });
};

/** No message any more: deleted from the log, or of another environment. */
export const noSuchMessage = (): CodedError =>
  new CodedError('not_found', {
    message: 'There is no such message in this environment, or its retention has passed.',
  });

/** Inserts a change behind those before it, under the lock of its message. */
export const insertBehind = async (
  tx: Transaction,
  change: PreparedChange,
  revision: number,
  remainingCredits: number,
): Promise<PreparedChange> => {
  const numbered = { ...change, revision };
  if (await insertMessage(change.tenant, tx, rowOf(numbered, remainingCredits))) return numbered;
  throw tooLate();
};

/** The deadline has passed, or the operation was withdrawn. */
export const tooLate = (): CodedError =>
  new CodedError('service_unavailable', {
    message: 'The request could not be accepted in time. Nothing was changed.',
    retry_after: 1,
    nothing_done: true,
  });

/** The change with access to the connection that the environment has now. */
const reconnected = async (
  { connections, keyring }: Pick<Dependencies, 'connections' | 'keyring'>,
  change: PreparedChange,
): Promise<PreparedChange> => {
  const access = openAccess(change.tenant, await connections.read(change.tenant), keyring);
  needsWorkspace(change.revises, access);
  return { ...change, access };
};

/** Runs the statement, for a deletion with the line of the audit log that says who asks for it. */
const insertOnce = async (
  { database, outbox, clock }: Pick<Dependencies, 'database' | 'outbox' | 'clock'>,
  { context, revises: { id, change } }: PreparedChange,
  beginning: ChangeBeginning,
): Promise<ChangeBegun | undefined> => {
  try {
    if (change !== 'delete') return await beginChangeRow(database, beginning, minPostMs);
    return await database.transaction(async (tx) => {
      const begun = await beginChangeRow(tx, beginning, minPostMs);
      if (begun && begun.revision !== null) {
        await recordDeletionRequest(tx, outbox, context, { id, at: clock.now() });
      }
      return begun;
    });
  } catch (cause) {
    throw new LostBeginning('the answer of a beginning was lost', { cause });
  }
};

const begunAs = (
  change: PreparedChange,
  {
    revision,
    channel,
    message_ts: messageTs,
    posting_at,
    has_slot: hasSlot,
  }: ChangeBegun & { revision: number },
): PreparedChange => ({
  ...change,
  revision,
  ...(posting_at && channel !== null && messageTs !== null && { begunIn: { channel, messageTs, hasSlot } }),
});

/** Repeats the statement with the current connection until none replaces it in between. */
const insertChange = async (
  dependencies: Dependencies,
  change: PreparedChange,
  remainingCredits: number,
  expected: number | undefined,
): Promise<PreparedChange | 'refused'> => {
  const { tenant, revises } = change;
  let current =
    change.access.workspaceId === revises.workspaceId ? change : await reconnected(dependencies, change);
  for (let replacements = 0; replacements <= maxReplacements; replacements++) {
    const row = rowOf(current, remainingCredits);
    const { connectionId } = current.access;
    const beginning = { tenant, row, revises: revises.id, connectionId, expected };
    const begun = await insertOnce(dependencies, change, beginning);
    if (!begun) throw noSuchMessage();
    const { revision } = begun;
    if (revision !== null) return begunAs(current, { ...begun, revision });
    needsSent({ id: revises.id, ...begun });
    needsRevision(expected, begun.current);
    if (begun.is_connected) return 'refused';
    current = await reconnected(dependencies, current);
  }
  throw keptChanging();
};

const rowBegunBefore = async (
  { database }: Pick<Dependencies, 'database'>,
  { tenant, context }: PreparedChange,
): Promise<MessageRow | undefined> => {
  try {
    return await findMessageOf(tenant, database, context.operationId, 0);
  } catch (cause) {
    throw new UnreadRepeat(cause);
  }
};

/**
 * Inserts a change, which has its place among the changes of its message from here on, and an outcome whatever happens.
 * @param expected the revision that its caller has read
 * @returns the change with its number, or the row of an operation that was begun before
 * @throws CodedError when nothing is changed, now or later, and the credit is released
 */
export const beginChange = async (
  dependencies: Dependencies,
  change: PreparedChange,
  remainingCredits: number,
  expected?: number,
): Promise<{ change: PreparedChange } | { repeated: MessageRow }> => {
  try {
    const begun = await insertChange(dependencies, change, remainingCredits, expected);
    if (begun !== 'refused') return { change: begun };
    const repeated = await rowBegunBefore(dependencies, change);
    if (repeated) return { repeated };
    throw tooLate();
  } catch (err) {
    const isLost = err instanceof LostBeginning;
    const error = unposted(isLost ? err.cause : err);
    if (change.revises.change === 'update') await giveUp(dependencies, change, [change], error, isLost);
    throw error;
  }
};
