import type { CodedError, ReplyOf, sendTemplate } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import { answerChange, answerChangeAgain } from './answer-change.ts';
import { deliver } from './deliver.ts';
import { deliverChange } from './deliver-change.ts';
import type { PreparedMessage } from './message.ts';
import type { MessageRow } from './message-tables.ts';
import { loseKey } from './store/message-keys.ts';
import { answer, answerAgain, conclude, type Verdict } from './verdict.ts';

type Reply = ReplyOf<typeof sendTemplate>;

/**
 * True for the update of a message with a key that someone has deleted at the platform, or that the platform does not let
 * change any more. It loses its key.
 */
export const isGoneThere = ({ keyed, revises }: PreparedMessage, { code, facts }: CodedError): boolean =>
  keyed !== undefined &&
  revises !== undefined &&
  code === 'invalid_state' &&
  facts.error_details !== undefined;

/** Posts a begun message, or makes the change that its key has made of it, and writes the outcome. */
export const carryOut = async (dependencies: Dependencies, message: PreparedMessage): Promise<Verdict> => {
  const { revises } = message;
  if (revises) {
    const change = { ...message, revises };
    const verdict = await conclude(dependencies, change, await deliverChange(dependencies, change));
    dependencies.countChange(revises.change, verdict);
    if (verdict.status === 'failed' && isGoneThere(message, verdict.error)) {
      await loseKey(message.tenant, dependencies.database, revises.id, message.keyed);
    }
    return verdict;
  }
  const verdict = await conclude(dependencies, message, await deliver(dependencies, message));
  dependencies.count(verdict);
  return verdict;
};

/** Carries out a send with a key, and answers it. */
export const finishKeyed = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  remainingCredits: number,
): Promise<Reply> => {
  const verdict = await carryOut(dependencies, message);
  const { revises } = message;
  if (revises) return answerChange({ ...message, revises }, verdict, remainingCredits);
  return { ...answer(message, verdict, remainingCredits), revision: 1, changed: true };
};

/** Answers a send that runs again under its operation id from its row, whatever its key has made of it. */
export const answerKeyedAgain = (row: MessageRow): Reply => {
  if (row.revises !== null) return answerChangeAgain(row);
  const reply = answerAgain(row);
  return row.message_key === null ? reply : { ...reply, revision: 1, changed: true };
};
