import { authorOf, createQueue as operation } from '@stanza/contracts';
import { audit, checkRoomOf, handle, newId } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { choiceOf } from '../domain/policy.ts';
import { presentQueue } from '../domain/present-queue.ts';
import { checkReferences, makeReferences, withIds } from '../references.ts';
import { countOtherQueues, findKeyedQueue, insertQueueOnce, isMadeBefore } from '../store/queues.ts';
import { checkTier } from '../tier-rules.ts';

/** Creates a queue, within the limits of the tier. */
export const createQueue = ({ database, outbox, rpc, clock, tiers }: Dependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const named = await withIds({ rpc, context, tenant }, body);
    const choice = choiceOf(named);
    await checkReferences(rpc, context, tenant, choice);
    const tier = await tiers.of(tenant.organizationId);
    const id = newId();
    const now = clock.now();
    try {
      const made = await database.transaction(async (tx) => {
        const others = await countOtherQueues(tx, tenant.organizationId, context.operationId);
        checkRoomOf('queues', tier.stored, others);
        await makeReferences(tx, rpc, context, tenant, choice);
        await checkTier(tx, tenant, tier, { id, ...choice });
        const queue = await insertQueueOnce(tenant, tx, {
          ...choice,
          id,
          key: body.key,
          operation_id: context.operationId,
          created_by: authorOf(principal.actor),
          created_at: now,
          updated_at: now,
          deleted_at: null,
        });
        const { name, mode } = choice;
        await audit(tx, outbox, context, {
          action: 'queue.created',
          subject: { kind: 'queue', id },
          changes: { name, mode },
          at: now,
        });
        return queue;
      });
      return presentQueue(made);
    } catch (error) {
      if (!isMadeBefore(error)) throw error;
      const before = await findKeyedQueue(tenant, database, { operation_id: context.operationId });
      if (!before) throw error;
      return presentQueue(before);
    }
  });
