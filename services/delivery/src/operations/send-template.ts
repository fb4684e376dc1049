import * as contracts from '@stanza/contracts';
import { type Call, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { accept, reserve } from '../messages/accept.ts';
import { conclude } from '../messages/conclude.ts';
import { deliver } from '../messages/deliver.ts';
import { orderOf } from '../messages/order.ts';
import { prepare } from '../messages/prepare.ts';
import { findMessageOf } from '../messages/store/messages.ts';
import { answer, answerAgain, unposted } from '../messages/verdict.ts';

/** Everything up to the row of the message; what breaks on the way has posted nothing. */
const begin = async (dependencies: Dependencies, call: Call<typeof contracts.sendTemplate>) => {
  try {
    const message = await prepare(dependencies, orderOf(dependencies, call));
    const remainingCredits = await reserve(dependencies, message);
    return { message, remainingCredits, repeated: await accept(dependencies, message, remainingCredits) };
  } catch (error) {
    throw unposted(error);
  }
};

/**
 * Posts one message. Each step leaves behind what makes the next one safe to lose: a reservation that is released when no
 * row follows, a row that is ended by the sweep when no outcome follows, and never a second post.
 */
export const sendTemplate = (dependencies: Dependencies) =>
  handle(contracts.sendTemplate, async (call) => {
    const { operationId } = call.context;
    const before = await findMessageOf(call.tenant, dependencies.database, operationId, 0);
    if (before) return answerAgain(before);

    const { message, remainingCredits, repeated } = await begin(dependencies, call);
    if (repeated) return answerAgain(repeated);

    const verdict = await conclude(dependencies, message, await deliver(dependencies, message));
    dependencies.count(verdict);
    return answer(message, verdict, remainingCredits);
  });
