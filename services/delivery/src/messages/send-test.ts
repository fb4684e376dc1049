import type { Principal, ReplyOf, testSendVersion } from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { begin, recordAgentSend } from './begin.ts';
import { deliver } from './deliver.ts';
import type { MessageOrder } from './message.ts';
import { prepare } from './prepare.ts';
import { reserve } from './reserve.ts';
import { checkReading, checkTestTarget } from './test-targets.ts';
import { answer, answerAgain, conclude, findEarlier, unposted } from './verdict.ts';

/** All steps up to the row of the message; a failure here has posted nothing. */
const start = async (
  dependencies: Dependencies,
  principal: Principal,
  placeOrder: () => MessageOrder | Promise<MessageOrder>,
) => {
  try {
    checkReading(principal);
    const message = await prepare(dependencies, await placeOrder());
    await checkTestTarget(dependencies, message, principal);
    await recordAgentSend(dependencies, message);
    const remainingCredits = await reserve(dependencies, message);
    return { remainingCredits, ...(await begin(dependencies, message, [message], remainingCredits)) };
  } catch (error) {
    throw unposted(error);
  }
};

/** Posts a message to its caller or to a listed target. From the reservation on it takes the steps of a send. */
export const sendTest = async (
  dependencies: Dependencies,
  call: { tenant: Tenant; principal: Principal; context: CallContext },
  placeOrder: () => MessageOrder | Promise<MessageOrder>,
): Promise<ReplyOf<typeof testSendVersion>> => {
  const [before] = await findEarlier(call.tenant, dependencies.database, call.context);
  if (before) return answerAgain(before);

  const { remainingCredits, ...begun } = await start(dependencies, call.principal, placeOrder);
  if ('repeated' in begun) return answerAgain(begun.repeated[0]);

  const [message] = begun.messages;
  const verdict = await conclude(dependencies, message, await deliver(dependencies, message));
  dependencies.count(verdict);
  return answer(message, verdict, remainingCredits);
};
