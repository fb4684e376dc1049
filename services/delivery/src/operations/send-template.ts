import * as contracts from '@stanza/contracts';
import { type Call, handle } from '@stanza/runtime';
import type { Parts } from '../dependencies.ts';
import { accept } from '../messages/accept.ts';
import { answer, answerAgain } from '../messages/answer.ts';
import { conclude } from '../messages/conclude.ts';
import { deliver } from '../messages/deliver.ts';
import { orderOf } from '../messages/order.ts';
import { prepare } from '../messages/prepare.ts';
import { reserve } from '../messages/reserve.ts';
import { findMessageOf } from '../messages/store/messages.ts';
import { unposted } from '../messages/unposted.ts';

/** Everything up to the row of the message; what breaks on the way has posted nothing. */
const begin = async (parts: Parts, call: Call<typeof contracts.sendTemplate>) => {
  try {
    const message = await prepare(parts, orderOf(parts, call));
    const remainingCredits = await reserve(parts, message);
    return { message, remainingCredits, repeated: await accept(parts, message, remainingCredits) };
  } catch (error) {
    throw unposted(error);
  }
};

/**
 * Posts one message. Each step leaves behind what makes the next one safe to lose: a reservation that is released when no
 * row follows, a row that is ended by the sweep when no outcome follows, and never a second post.
 */
export const sendTemplate = (parts: Parts) =>
  handle(contracts.sendTemplate, async (call) => {
    const { operationId } = call.context;
    const before = await findMessageOf(call.tenant, parts.database, operationId, 0);
    if (before) return answerAgain(before);

    const { message, remainingCredits, repeated } = await begin(parts, call);
    if (repeated) return answerAgain(repeated);

    const verdict = await conclude(parts, message, await deliver(parts, message));
    parts.count(verdict);
    return answer(message, verdict, remainingCredits);
  });
