import * as contracts from '@stanza/contracts';
import { type Call, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { begin, recordAgentSend } from '../messages/begin.ts';
import { beginKeyed } from '../messages/begin-keyed.ts';
import { deliver } from '../messages/deliver.ts';
import { answerKeyedAgain, finishKeyed } from '../messages/finish-keyed.ts';
import { orderOf } from '../messages/message.ts';
import { prepare } from '../messages/prepare.ts';
import { reserve } from '../messages/reserve.ts';
import { answer, conclude, findEarlier, unposted } from '../messages/verdict.ts';

/** All steps up to the row of the message; a failure here has posted nothing. */
const start = async (dependencies: Dependencies, call: Call<typeof contracts.sendTemplate>) => {
  try {
    const message = await prepare(dependencies, await orderOf(dependencies, call));
    await recordAgentSend(dependencies, message);
    const remainingCredits = await reserve(dependencies, message);
    const beginOne = message.keyed ? beginKeyed : begin;
    return { remainingCredits, ...(await beginOne(dependencies, message, [message], remainingCredits)) };
  } catch (error) {
    throw unposted(error);
  }
};

/**
 * Posts one message. A crash after any step is safe: a reservation without a row is released, a row without an outcome
 * is ended by `end-abandoned-messages`, and no second post is made.
 */
export const sendTemplate = (dependencies: Dependencies) =>
  handle(contracts.sendTemplate, async (call) => {
    const [before] = await findEarlier(call.tenant, dependencies.database, call.context);
    if (before) return answerKeyedAgain(before);

    const { remainingCredits, ...begun } = await start(dependencies, call);
    if ('repeated' in begun) return answerKeyedAgain(begun.repeated[0]);

    const [message] = begun.messages;
    if (message.keyed) return finishKeyed(dependencies, message, remainingCredits);
    const verdict = await conclude(dependencies, message, await deliver(dependencies, message));
    dependencies.count(verdict);
    return answer(message, verdict, remainingCredits);
  });
