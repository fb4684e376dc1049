import { CodedError, chargeCredits, type Principal, type ReplyOf } from '@stanza/contracts';
import {
  type CallContext,
  coalesce,
  isUnavailable,
  jointContext,
  type Metrics,
  type RpcClient,
} from '@stanza/runtime';
import { gatherMs } from './batches.ts';

/** A compile to charge. */
export interface Compile {
  templateId: string;
  principal: Principal;
  context: CallContext;
}

/** A charged compile. */
export interface Charged {
  creditLogId: string;
  remainingCredits: number;
}

/** Charges a compile, once by its operation. */
export type Charge = (compile: Compile) => Promise<Charged>;

type Outcome = ReplyOf<typeof chargeCredits>['outcomes'][number];

/** Charges of one call. */
const maxBatch = 128;

/**
 * Makes the function that charges compiles. Concurrent charges of one organization go together. It throws CodedError
 * with the reason of a refusal, `credit_deduction_failed` for an invalid outcome.
 */
export const charging = (rpc: RpcClient, metrics: Metrics): Charge => {
  const charge = coalesce<Compile, Outcome>({
    name: 'charges',
    key: ({ principal }) => principal.organization_id,
    maxBatch,
    gatherMs,
    metrics,
    run: async (compiles, organization_id) => {
      const due = compiles.map(({ templateId, principal, context }) => ({
        environment: principal.environment,
        operation_id: context.operationId,
        template_id: templateId,
        actor_id: principal.actor.id,
      }));
      const { outcomes } = await rpc.call(
        chargeCredits,
        { organization_id, charges: due },
        jointContext(compiles),
      );
      return outcomes;
    },
  });
  return async (compile) => {
    const outcome = await charge(compile).catch((error: unknown) => {
      throw isUnavailable(error) ? error : new CodedError('credit_deduction_failed', {}, { cause: error });
    });
    if (!outcome.charged) throw new CodedError(outcome.code);
    return { creditLogId: outcome.credit_log_id, remainingCredits: outcome.remaining_credits };
  };
};
