import * as contracts from '@stanza/contracts';
import { audit, type Call, handle } from '@stanza/runtime';
import { outcomeUnknown } from '../chat/errors.ts';
import { openAccess } from '../connections/chat-access.ts';
import { findConnection } from '../connections/store/connections.ts';
import type { Dependencies } from '../dependencies.ts';
import { beginChange, noSuchMessage } from '../messages/begin-change.ts';
import { deletionOf, needsWorkspace } from '../messages/change-order.ts';
import { deliverChange } from '../messages/deliver-change.ts';
import { findMessage } from '../messages/store/message-log.ts';
import { conclude } from '../messages/verdict.ts';

/** The line is there before the message is gone. */
const recordDeletion = (
  { database, outbox, clock }: Pick<Dependencies, 'database' | 'outbox' | 'clock'>,
  { context }: Call<typeof contracts.deleteMessage>,
  id: string,
): Promise<void> =>
  database.transaction((tx) =>
    audit(tx, outbox, context, {
      action: 'message.deleted',
      subject: { kind: 'message', id },
      changes: {},
      at: clock.now(),
    }),
  );

/** Takes a message out of its channel, in its turn among the changes of the message. */
export const deleteMessage = (dependencies: Dependencies) =>
  handle(contracts.deleteMessage, async (call) => {
    const { database, keyring } = dependencies;
    const { id } = call.input.params;
    const row = await findMessage(call.tenant, database, id);
    if (!row) throw noSuchMessage();
    const answer = (changed: boolean) => ({ success: true as const, id, changed });
    if (row.status === 'deleted') return answer(false);
    const access = openAccess(call.tenant, await findConnection(call.tenant, database), keyring);
    const deletion = deletionOf(dependencies, call, row, access);
    needsWorkspace(deletion.revises, access);
    await recordDeletion(dependencies, call, id);
    const begun = await beginChange(dependencies, deletion, 0);
    // The operation of a request without an idempotency key is begun once.
    if ('repeated' in begun) throw outcomeUnknown(id);
    const { change } = begun;
    const verdict = await conclude(dependencies, change, await deliverChange(dependencies, change));
    dependencies.countChange('delete', verdict);
    if (verdict.status === 'sent') return answer(true);
    const after = await findMessage(call.tenant, database, id);
    // Another deletion was faster.
    if (after?.status === 'deleted') return answer(false);
    throw verdict.status === 'failed' ? verdict.error : outcomeUnknown(id);
  });
