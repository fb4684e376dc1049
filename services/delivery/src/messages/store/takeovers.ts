import { statement, type Tenant, type Transaction } from '@stanza/runtime';

/*
 * A try whose message is withdrawn may stand between the snapshot and the locks of the statement that begins its post: it
 * has looked for the withdrawal before there was one. A changed row is read again, so the rows of the try are changed.
 */

const lock = statement<{ operation_id: string; tries: number }>(
  'takeover-lock',
  `select operation_id, tries
   from deferred_sends
   where organization_id = $1 and environment = $2 and operation_id = any ($3::uuid[]) and status = 'waiting'
   order by operation_id
   for update`,
);

// Of this and the statement that begins the post, one waits for the other: the message is posting, or has a later fence.
const fence = statement<Record<string, never>>(
  'takeover-fence',
  `update messages as message
   set fence = send.tries + 1, updated_at = clock_timestamp()
   from unnest($3::uuid[], $4::integer[]) as send (operation_id, tries)
   where message.organization_id = $1
     and message.environment = $2
     and message.operation_id = send.operation_id
     and message.status = 'accepted'`,
);

const claim = statement<Record<string, never>>(
  'takeover-claim',
  `update deferred_sends as send
   set tries = tries + 1, due_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and operation_id = any ($3::uuid[])
     and not exists (
       select
       from messages as message
       where message.organization_id = $1
         and message.environment = $2
         and message.operation_id = send.operation_id
         and message.status <> 'accepted')`,
  { wakes: 'send-deferred' },
);

/**
 * Takes deferred messages from the tries that work on them, so that each ends at once as its withdrawal wants. One whose
 * post has begun is left to its try.
 */
export const takeOverDeferred = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  operations: readonly string[],
): Promise<void> => {
  const held = await tx.query(lock, [organizationId, environment, operations]);
  if (held.length === 0) return;
  const ids = held.map((it) => it.operation_id);
  await tx.query(fence, [organizationId, environment, ids, held.map((it) => it.tries)]);
  await tx.query(claim, [organizationId, environment, ids]);
};
