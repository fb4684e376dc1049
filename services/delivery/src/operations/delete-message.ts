import * as contracts from '@stanza/contracts';
import { type Call, handle } from '@stanza/runtime';
import { outcomeUnknown } from '../chat/errors.ts';
import { openAccess } from '../connections/chat-access.ts';
import { findConnection } from '../connections/store/connections.ts';
import type { Dependencies } from '../dependencies.ts';
import { beginChange, noSuchMessage } from '../messages/begin-change.ts';
import { deliverChange } from '../messages/deliver-change.ts';
import { factsOf } from '../messages/message.ts';
import type { MessageRow } from '../messages/message-tables.ts';
import { freeChangeOf } from '../messages/requested-change.ts';
import { findMessage } from '../messages/store/message-log.ts';
import { conclude } from '../messages/verdict.ts';

/** Deletes a message in its turn; throws unless it is gone from its channel then. */
const removeInTurn = async (
  dependencies: Dependencies,
  call: Call<typeof contracts.deleteMessage>,
  row: MessageRow,
): Promise<void> => {
  const { database, keyring } = dependencies;
  const access = openAccess(call.tenant, await findConnection(call.tenant, database), keyring);
  const deletion = freeChangeOf(factsOf(dependencies, call), row, 'delete', access);
  const begun = await beginChange(dependencies, deletion, 0);
  // The operation of a request without an idempotency key is begun once.
  if ('repeated' in begun) throw outcomeUnknown(row.id);
  const { change } = begun;
  const verdict = await conclude(dependencies, change, await deliverChange(dependencies, change));
  dependencies.countChange('delete', verdict);
  if (verdict.status === 'sent') return;
  throw verdict.status === 'failed' ? verdict.error : outcomeUnknown(row.id);
};

/** Takes a message out of its channel, in its turn among the changes of the message. */
export const deleteMessage = (dependencies: Dependencies) =>
  handle(contracts.deleteMessage, async (call) => {
    const { id } = call.input.params;
    const read = () => findMessage(call.tenant, dependencies.database, id);
    const answer = (changed: boolean) => ({ success: true as const, id, changed });
    const row = await read();
    if (!row) throw noSuchMessage();
    if (row.status === 'deleted') return answer(false);
    try {
      await removeInTurn(dependencies, call, row);
      return answer(true);
    } catch (err) {
      // Another deletion was faster.
      if ((await read())?.status === 'deleted') return answer(false);
      throw err;
    }
  });
