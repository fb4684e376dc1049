import * as contracts from '@stanza/contracts';
import { type Call, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { answerChange, answerChangeAgain } from '../messages/answer-change.ts';
import { recordAgentSend } from '../messages/begin.ts';
import { beginChange } from '../messages/begin-change.ts';
import { deliverChange } from '../messages/deliver-change.ts';
import { prepareChange } from '../messages/prepare.ts';
import { updateOrderOf } from '../messages/requested-change.ts';
import { reserve } from '../messages/reserve.ts';
import { findMessage } from '../messages/store/message-log.ts';
import { conclude, findEarlier, unposted } from '../messages/verdict.ts';

/** All steps up to the row of the change; a failure here has changed nothing. */
const start = async (dependencies: Dependencies, call: Call<typeof contracts.updateMessage>) => {
  try {
    const { params, body } = call.input;
    const row = await findMessage(call.tenant, dependencies.database, params.id);
    const change = await prepareChange(dependencies, updateOrderOf(dependencies, call, row));
    await recordAgentSend(dependencies, change);
    const remainingCredits = await reserve(dependencies, change);
    const begun = await beginChange(dependencies, change, remainingCredits, body.expected_revision);
    return { remainingCredits, ...begun };
  } catch (error) {
    throw unposted(error);
  }
};

/** Replaces a message in its channel, with the steps of a send: a crash after any of them is as safe. */
export const updateMessage = (dependencies: Dependencies) =>
  handle(contracts.updateMessage, async (call) => {
    const [before] = await findEarlier(call.tenant, dependencies.database, call.context);
    if (before) return answerChangeAgain(before);

    const { remainingCredits, ...begun } = await start(dependencies, call);
    if ('repeated' in begun) return answerChangeAgain(begun.repeated);

    const { change } = begun;
    const verdict = await conclude(dependencies, change, await deliverChange(dependencies, change));
    dependencies.countChange(change.revises.change, verdict);
    return answerChange(change, verdict, remainingCredits);
  });
