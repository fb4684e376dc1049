import { CodedError } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import { accept, holdTry, reportLeftOutOf } from './begin.ts';
import { insertNamed, StillOpen } from './begin-keyed.ts';
import { locate } from './deliver.ts';
import type { PreparedMessage } from './message.ts';
import { findMessageOf } from './store/messages.ts';

/**
 * Writes the row of a deferred send, as {@link accept} does: of one with a key, as the post or the change that the key
 * makes of it.
 * @returns the message as it is to be carried out; undefined where another try has begun it
 * @throws CodedError `service_unavailable` while the message of the key has no outcome; `not_found` for what would show a
 *   batch that has closed, whose row the caller ends
 */
export const acceptKeyed = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  remainingCredits: number,
): Promise<PreparedMessage | undefined> => {
  const { keyed, tenant, context } = message;
  if (!keyed) return (await accept(dependencies, message, remainingCredits)) ? undefined : message;
  const channel = await locate(dependencies, message);
  const before = await findMessageOf(tenant, dependencies.database, context.operationId, 0);
  if (before) return undefined;
  try {
    const named = await dependencies.database.transaction(async (tx) => {
      await holdTry(tx, message);
      const begun = await insertNamed(tx, { message, keyed, channel }, remainingCredits);
      await reportLeftOutOf(dependencies, tx, message);
      return begun;
    });
    // Once it has its number: the delivery of a batch that closes from here on takes its turn behind this one. Another try
    // that takes the row up has read the content of the batch after this.
    await message.interim?.stillCollects();
    return named;
  } catch (err) {
    if (!(err instanceof StillOpen)) throw err;
    throw new CodedError('service_unavailable', {
      message: `The message ${err.row.id} of the key has no outcome yet.`,
      retry_after: 5,
    });
  }
};
