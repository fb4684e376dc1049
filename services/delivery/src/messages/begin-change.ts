import { CodedError } from '@stanza/contracts';
import type { Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { rowOf } from './begin.ts';
import { giveUp } from './give-up.ts';
import type { PreparedChange } from './message.ts';
import type { MessageRow } from './message-tables.ts';
import { recordDeletionRequest } from './record-deletion.ts';
import { findMessageOf, insertMessage } from './store/messages.ts';
import { claimOperation } from './store/reservations.ts';
import { lockMessage, numbersOf } from './store/revisions.ts';
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

const insertChange = (
  { database, outbox, clock }: Pick<Dependencies, 'database' | 'outbox' | 'clock'>,
  change: PreparedChange,
  remainingCredits: number,
  expected: number | undefined,
): Promise<PreparedChange | 'refused'> =>
  database.transaction(async (tx) => {
    const { tenant, context, revises } = change;
    const message = await lockMessage(tenant, tx, revises.id);
    if (!message) throw noSuchMessage();
    needsSent(message);
    const { current, next } = await numbersOf(tenant, tx, revises.id);
    needsRevision(expected, current);
    if (!(await claimOperation(tenant, tx, context.operationId))) return 'refused';
    if (revises.change === 'delete') {
      await recordDeletionRequest(tx, outbox, context, { id: revises.id, at: clock.now() });
    }
    return insertBehind(tx, change, next, remainingCredits);
  });

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
    const error = unposted(err);
    if (change.revises.change === 'update') {
      await giveUp(dependencies, change, [change], error, !(err instanceof CodedError));
    }
    throw error;
  }
};
