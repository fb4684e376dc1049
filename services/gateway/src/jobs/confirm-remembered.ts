import { confirmRememberedCharges } from '@stanza/contracts';
import { type Database, newContext, type RpcClient } from '@stanza/runtime';
import { answersConfirmed, unconfirmedAnswers } from '../store/idempotency-upkeep.ts';

/** Answers told in one call. */
const batch = 500;

/**
 * Tells the organization service which answers are kept, so that their charges become final: whoever asks again gets the
 * answer, so it is paid even when the gateway that took the request is gone. Several gateways may tell the same.
 */
export const confirmRemembered =
  ({ database, rpc }: { database: Database; rpc: Pick<RpcClient, 'call'> }) =>
  async (signal?: AbortSignal): Promise<void> => {
    for (let last = batch; last === batch && !signal?.aborted; ) {
      const answers = await unconfirmedAnswers(database, batch);
      last = answers.length;
      if (last === 0) return;
      const context = newContext({ deadlineMs: confirmRememberedCharges.deadlineMs });
      await rpc.call(confirmRememberedCharges, { answers }, context);
      await answersConfirmed(
        database,
        answers.map((it) => it.operation_id),
      );
    }
  };
