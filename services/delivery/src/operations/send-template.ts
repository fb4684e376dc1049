import * as contracts from '@stanza/contracts';
import { type Call, handle } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { accept } from '../sending/accept.ts';
import { answer, answerAgain } from '../sending/answer.ts';
import { conclude } from '../sending/conclude.ts';
import { deliver } from '../sending/deliver.ts';
import { orderOf } from '../sending/order.ts';
import { prepare } from '../sending/prepare.ts';
import { reserve } from '../sending/reserve.ts';
import { unposted } from '../sending/unposted.ts';
import { findMessageOf } from '../store/messages.ts';

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
