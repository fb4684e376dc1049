import { createQueue as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { authorOf } from '../domain/author.ts';
import { choiceOf } from '../domain/policy.ts';
import { presentQueue } from '../domain/present-queue.ts';
import { checkReferences } from '../references.ts';
import { findQueueMadeBy, insertQueueOnce, isMadeBefore } from '../store/queues.ts';
import { checkTier } from '../tier-rules.ts';

/** Creates a queue, within what the tier allows. */
export const createQueue = ({ database, outbox, rpc, clock, tiers }: Dependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const choice = choiceOf(body);
    await checkReferences(rpc, context, tenant, choice);
    const tier = await tiers.of(tenant.organizationId);
    const id = newId();
    const now = clock.now();
    try {
      const made = await database.transaction(async (tx) => {
        await checkTier(tx, tenant, tier, { id, ...choice });
        const queue = await insertQueueOnce(tenant, tx, {
          ...choice,
          id,
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
      const before = await findQueueMadeBy(tenant, database, context.operationId);
      if (!before) throw error;
      return presentQueue(before);
    }
  });
