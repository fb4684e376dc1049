import { type Allowances, type Database, deletedAtOnce, inBatches, statement } from '@stanza/runtime';

/** Bytes of the data of ended scheduled messages that are not looked at. */
const lookedAtBytes = 1_000_000;

const large = statement<{ organization_id: string }>(
  'scheduled-data-large',
  `select organization_id
   from scheduled_messages
   where ended_at is not null
   group by organization_id
   having sum(data_bytes) > ${lookedAtBytes}`,
);

// A run on its way, or one that may be posted again, still reads the data.
const drop = statement<object>(
  'scheduled-data-drop',
  `with taken as (
     select environment, id, sum(data_bytes) over (order by ended_at desc, id desc) as bytes
     from scheduled_messages as message
     where organization_id = $1 and ended_at is not null and data_bytes > octet_length('{}')
       and not exists (
         select
         from scheduled_runs as run
         where run.organization_id = message.organization_id
           and run.environment = message.environment
           and run.scheduled_message_id = message.id
           and run.status in ('pending', 'unknown'))
   ), surplus as (
     select environment, id
     from taken
     where bytes > $2
     limit ${deletedAtOnce}
   )
   update scheduled_messages as message
   set data = '{}'
   from surplus
   where message.organization_id = $1
     and message.environment = surplus.environment
     and message.id = surplus.id
   returning 1`,
);

/**
 * Drops the data of the longest ended scheduled messages where those of an organization hold more than its tier allows to
 * active ones: whoever creates and cancels would else store without end. Returns how many there were.
 */
export const dropSurplusData = async (database: Database, allowances: Allowances): Promise<number> => {
  let dropped = 0;
  for (const { organization_id } of await database.query(large)) {
    const most = (await allowances.of(organization_id))?.scheduled_data_bytes;
    if (most !== undefined) dropped += await inBatches(() => database.query(drop, [organization_id, most]));
  }
  return dropped;
};
