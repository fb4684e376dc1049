import * as contracts from '@stanza/contracts';
import { type Call, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { acceptAll, reserve } from '../messages/accept.ts';
import { answerBulk, answerBulkAgain, type Concluded } from '../messages/answer-bulk.ts';
import { conclude } from '../messages/conclude.ts';
import { deliver } from '../messages/deliver.ts';
import type { PreparedMessage } from '../messages/message.ts';
import { bulkOrderOf } from '../messages/order.ts';
import { prepareEach } from '../messages/prepare.ts';
import { findMessagesOf, isSome } from '../messages/store/messages.ts';
import { unposted } from '../messages/verdict.ts';

/** Everything up to the rows of the messages; what breaks on the way has posted nothing. */
const begin = async (dependencies: Dependencies, call: Call<typeof contracts.sendBulk>) => {
  try {
    const order = bulkOrderOf(dependencies, call);
    const { rendered, messages } = await prepareEach(dependencies, order);
    const remainingCredits = await reserve(dependencies, order, messages.length);
    const repeated = await acceptAll(dependencies, order, messages, remainingCredits);
    return { rendered, messages, remainingCredits, repeated };
  } catch (error) {
    throw unposted(error);
  }
};

/** Takes one message to its end. Never rejects: whatever befalls it, the others go their way. */
const finish = async (dependencies: Dependencies, message: PreparedMessage): Promise<Concluded> => {
  const verdict = await conclude(dependencies, message, await deliver(dependencies, message));
  dependencies.count(verdict);
  return { message, verdict };
};

/**
 * Posts one template to many. Compiled once, reserved and accepted as a whole; from then on each message goes its own
 * way, by the same steps as that of a single send.
 */
export const sendBulk = (dependencies: Dependencies) =>
  handle(contracts.sendBulk, async (call) => {
    const before = await findMessagesOf(call.tenant, dependencies.database, call.context.operationId);
    if (isSome(before)) return answerBulkAgain(before);

    const { rendered, messages, remainingCredits, repeated } = await begin(dependencies, call);
    if (isSome(repeated)) return answerBulkAgain(repeated);

    const concluded = await Promise.all(messages.map((message) => finish(dependencies, message)));
    return answerBulk(concluded, rendered, remainingCredits);
  });
