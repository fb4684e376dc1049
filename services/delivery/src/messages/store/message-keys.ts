import { deletion, findRow, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import type { Keyed } from '../message.ts';
import { type MessageKeyRow, type MessageRow, messages } from '../message-tables.ts';

/** Days after its last change for which a message has its key. */
const keptDays = 90;

/** A sender's key in a conversation, and a message that wants it. */
export type KeyWish = Pick<MessageKeyRow, 'message_key' | 'channel' | 'message_id'>;

const valuesOf = ({ organizationId, environment }: Tenant, wish: KeyWish): string[] => [
  organizationId,
  environment,
  wish.message_key,
  wish.channel,
  wish.message_id,
];

// The update changes nothing: it locks the row, so that of two calls with a key one waits for the other.
const claim = statement<Pick<MessageKeyRow, 'message_id'>>(
  'message-key-claim',
  `insert into message_keys as held (organization_id, environment, message_key, channel, message_id, taken_at)
   values ($1, $2, $3, $4, $5, clock_timestamp())
   on conflict on constraint message_keys_pk do update
   set taken_at = held.taken_at
   returning message_id`,
);

/** Takes a key for a message where nothing has it, and locks it. Returns the message that has it now. */
export const claimKey = async (tenant: Tenant, tx: Transaction, wish: KeyWish): Promise<string> =>
  (await findRow(tx, claim, valuesOf(tenant, wish)))?.message_id ?? wish.message_id;

const taken = statement<Pick<MessageKeyRow, 'message_id'>>(
  'message-key-taken',
  `select message_id
   from message_keys
   where organization_id = $1
     and environment = $2
     and message_key = $3
   limit 1`,
);

/** True where a message of any conversation has a key. */
export const isKeyTaken = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  key: string,
): Promise<boolean> => (await db.query(taken, [organizationId, environment, key])).length > 0;

const lose = statement<Record<string, never>>(
  'message-key-lose',
  `delete from message_keys
   where organization_id = $1
     and environment = $2
     and message_key = $3
     and message_id = $4`,
);

/** Takes a key from a message that is gone from its conversation. */
export const loseKey = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  id: string,
  keyed: Keyed | undefined,
): Promise<void> => {
  if (keyed) await db.query(lose, [organizationId, environment, keyed.key, id]);
};

const take = statement<Record<string, never>>(
  'message-key-take',
  `update message_keys
   set message_id = $5, taken_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and message_key = $3
     and channel = $4`,
);

/** Gives a locked key to another message. */
export const takeKey = async (tenant: Tenant, tx: Transaction, wish: KeyWish): Promise<void> => {
  await tx.query(take, valuesOf(tenant, wish));
};

const holder = statement<MessageRow & { is_old: boolean }>(
  'message-key-holder',
  `select ${columnsOf(messages)},
     updated_at < clock_timestamp() - ${keptDays} * interval '1 day' as is_old
   from messages
   where organization_id = $1
     and environment = $2
     and id = $3
   for no key update`,
);

/** The message that has a key; undefined where it has none any more. It is locked, so that one change begins at a time. */
export const holderOf = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  id: string,
): Promise<MessageRow | undefined> => {
  const row = await findRow(tx, holder, [organizationId, environment, id]);
  return row?.is_old ? undefined : row;
};

const forget = deletion('message-keys-forget', {
  from: 'message_keys',
  where: `taken_at < (select clock_timestamp()) - ${keptDays} * interval '1 day' and (
         select true
         from messages as message
         where message.organization_id = doomed.organization_id
           and message.environment = doomed.environment
           and message.id = doomed.message_id
           and message.updated_at >= (select clock_timestamp()) - ${keptDays} * interval '1 day'
         limit 1) is null`,
  orderBy: 'taken_at',
});

/** Deletes keys whose messages have not changed for {@link keptDays} days. */
export const forgetKeys = (db: Queryable): Promise<number> => forget(db);
