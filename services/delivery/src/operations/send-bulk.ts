import { setImmediate as nextTurn } from 'node:timers/promises';
import * as contracts from '@stanza/contracts';
import { type Call, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { answerBulk, answerBulkAgain, type Concluded } from '../messages/answer-bulk.ts';
import { begin } from '../messages/begin.ts';
import { beginKeyed } from '../messages/begin-keyed.ts';
import { deliver } from '../messages/deliver.ts';
import { carryOut } from '../messages/finish-keyed.ts';
import { bulkOrderOf, type PreparedMessage } from '../messages/message.ts';
import { prepareEach } from '../messages/prepare.ts';
import { reserve } from '../messages/reserve.ts';
import { isSome } from '../messages/store/messages.ts';
import { conclude, findEarlier, unposted } from '../messages/verdict.ts';

/** All steps up to the rows of the messages; a failure here has posted nothing. */
const start = async (dependencies: Dependencies, call: Call<typeof contracts.sendBulk>) => {
  try {
    const order = await bulkOrderOf(dependencies, call);
    const { rendered, messages } = await prepareEach(dependencies, order);
    const remainingCredits = await reserve(dependencies, order, messages.length);
    const beginAll = messages.some(({ keyed }) => keyed) ? beginKeyed : begin;
    return {
      rendered,
      remainingCredits,
      ...(await beginAll(dependencies, order, messages, remainingCredits)),
    };
  } catch (error) {
    throw unposted(error);
  }
};

/** Sends one message. Never rejects: a failure does not affect the others. */
const finish = async (dependencies: Dependencies, message: PreparedMessage): Promise<Concluded> => {
  if (message.keyed) return { message, verdict: await carryOut(dependencies, message) };
  const outcome = await deliver(dependencies, message);
  if (message.outstanding) message.outstanding.messages -= 1;
  const verdict = await conclude(dependencies, message, outcome);
  dependencies.count(verdict);
  return { message, verdict };
};

/** Messages that begin in one turn of the event loop; all that have begun are on their way at once. */
const begunPerTurn = 8;

/** Sends messages. The first are on their way while the next begin, and other requests have their turns. */
const finishAll = async (
  dependencies: Dependencies,
  messages: readonly PreparedMessage[],
): Promise<Concluded[]> => {
  const ends: Promise<Concluded>[] = [];
  for (const message of messages) {
    if (ends.length > 0 && ends.length % begunPerTurn === 0) await nextTurn();
    ends.push(finish(dependencies, message));
  }
  return Promise.all(ends);
};

/**
 * Posts one template to many recipients. Compiled once, reserved and accepted as a whole; from then on each message
 * takes the same steps as that of a single send.
 */
export const sendBulk = (dependencies: Dependencies) =>
  handle(contracts.sendBulk, async (call) => {
    const before = await findEarlier(call.tenant, dependencies.database, call.context);
    if (isSome(before)) return answerBulkAgain(before);

    const { rendered, remainingCredits, ...begun } = await start(dependencies, call);
    if ('repeated' in begun) return answerBulkAgain(begun.repeated);

    const outstanding = { messages: begun.messages.length };
    const messages = begun.messages.map((message) => ({ ...message, outstanding }));
    return answerBulk(await finishAll(dependencies, messages), rendered, remainingCredits);
  });
