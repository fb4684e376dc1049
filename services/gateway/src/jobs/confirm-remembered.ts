import { confirmRememberedCharges } from '@stanza/contracts';
import { type Database, newContext, type RpcClient } from '@stanza/runtime';
import { answersConfirmed, unconfirmedAnswers } from '../store/idempotency-upkeep.ts';

/** Answers confirmed in one call. */
const batch = 500;

/**
 * Confirms the charges of stored answers at the organization service: a repeat gets the answer, so it is paid even when
 * the gateway that took the request is gone. Several gateways may confirm the same one.
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
