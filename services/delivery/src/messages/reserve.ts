import { type InputOf, reserveCredits } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import type { MessageOrigin } from '../store/rows.ts';
import type { MessageOrder } from './order.ts';

/** What the ledger calls that which sends a message. */
const operationOf: Record<MessageOrigin, InputOf<typeof reserveCredits>['operation']> = {
  send: 'send',
  bulk: 'send-bulk',
  batch: 'batch',
  schedule: 'schedule',
};

/**
 * Sets the credits of an operation's messages aside. When it cannot be said whether that happened, the owner of the
 * credits will ask for this operation, hear that it accepted nothing, and release them.
 * @returns the credits that are left once all the messages are charged
 * @throws CodedError when there are too few
 */
export const reserve = async (
  dependencies: Dependencies,
  operation: Pick<MessageOrder, 'tenant' | 'context' | 'compilation' | 'actorId' | 'origin'>,
  messages = 1,
): Promise<number> => {
  const { tenant, context, compilation, actorId, origin } = operation;
  const { remaining_credits } = await dependencies.rpc.call(
    reserveCredits,
    {
      organization_id: tenant.organizationId,
      environment: tenant.environment,
      operation_id: context.operationId,
      operation: operationOf[origin],
      template_id: compilation.template_id,
      actor_id: actorId,
      amount: messages,
    },
    context,
  );
  return remaining_credits;
};
