import { notFound, updateQueue as operation } from '@stanza/contracts';
import { audit, checkIfMatch, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { auditedChoice } from '../domain/audited-choice.ts';
import { changedChoice } from '../domain/policy.ts';
import { presentQueue } from '../domain/present-queue.ts';
import { checkReferences, makeReferences, withIds } from '../references.ts';
import { queueKeys } from '../store/keys.ts';
import { changeQueue, findQueue, lockQueue } from '../store/queues.ts';
import { checkTier } from '../tier-rules.ts';

/** Changes a queue; an open batch keeps the policy with which it began. */
export const updateQueue = ({ database, outbox, rpc, clock, tiers }: Dependencies) =>
  handle(operation, async ({ input: { params, body: given }, context, tenant }) => {
    const before = await findQueue(tenant, database, params.id);
    if (!before) throw notFound('queue');
    const body = await withIds({ rpc, context, tenant }, given);
    // Checked before calls to other services; checked again once the row is locked.
    const wanted = changedChoice(before, body);
    const named = {
      template_id: body.template_id ? wanted.template_id : null,
      destination_id: body.destination_id ? wanted.destination_id : null,
    };
    await checkReferences(rpc, context, tenant, named);
    const tier = await tiers.of(tenant.organizationId);
    return database.transaction(async (tx) => {
      await makeReferences(tx, rpc, context, tenant, named);
      const queue = await lockQueue(tenant, tx, params.id);
      if (!queue) throw notFound('queue');
      const keyed = await queueKeys.withKey(tenant, tx, queue);
      checkIfMatch(context, operation, presentQueue(keyed));
      const choice = changedChoice(queue, body);
      await checkTier(tx, tenant, tier, { id: queue.id, ...choice }, queue);
      const changes = auditedChoice(queue, choice);
      if (Object.keys(changes).length === 0) return presentQueue(keyed);
      const at = clock.now();
      const written = { ...choice, updated_at: at };
      await changeQueue(tenant, tx, queue.id, written);
      await audit(tx, outbox, context, {
        action: 'queue.updated',
        subject: { kind: 'queue', id: queue.id },
        changes,
        at,
      });
      return presentQueue({ ...keyed, ...written });
    });
  });
