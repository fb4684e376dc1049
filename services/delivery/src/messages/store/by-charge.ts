import { firstIdOf, madeAt, type Queryable, statement, type Tenant } from '@stanza/runtime';

/** Milliseconds between the id of a message and that of its charge, at most: nothing happens between the two. */
const betweenMs = 1_000;

/** Ids from one on and below another. */
export interface IdRange {
  from: string;
  below: string;
}

/**
 * The ids among which the message of a charge is. A process makes the id of a message and then that of its charge, and its
 * ids sort by creation. So a charge needs no index of its own, which each message would be in.
 */
export const idsBeforeCharge = (creditLogId: string): IdRange => ({
  from: firstIdOf(new Date(Math.max(0, madeAt(creditLogId).getTime() - betweenMs))),
  below: creditLogId.toLowerCase(),
});

const find = statement<{ id: string }>(
  'messages-of-charge',
  `select coalesce(revises, id) as id
   from messages
   where organization_id = $1
     and environment = $2
     and id >= $3
     and id < $4
     and credit_log_id = $5
     and charged`,
);

/** The message that was charged, or whose change was. */
export const messagesOfCharge = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  creditLogId: string,
): Promise<string[]> => {
  const { from } = idsBeforeCharge(creditLogId);
  // The id of a change sorts after that of a charge of the same millisecond.
  const below = firstIdOf(new Date(madeAt(creditLogId).getTime() + 1));
  const rows = await db.query(find, [organizationId, environment, from, below, creditLogId]);
  return rows.map(({ id }) => id);
};
