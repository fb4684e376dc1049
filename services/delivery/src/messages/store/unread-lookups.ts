import { type Queryable, statement } from '@stanza/runtime';
import type { MessageRow } from '../message-tables.ts';
import { isMessage } from './by-id.ts';

/** A message at one of its lookups. */
type Looked = Pick<MessageRow, 'organization_id' | 'environment' | 'id' | 'lookups'>;

/** SQL of the time from a post for which lookups that cannot read the channel are made again. */
export const unreadFor = "interval '3 days'";

const takeBack = statement<Record<string, never>>(
  'message-lookup-unread',
  `update messages
   set lookups = lookups - 1,
       lookup_due_at = clock_timestamp()
         + least(interval '1 hour', greatest(interval '30 seconds', (clock_timestamp() - posting_at) / 4))
   where ${isMessage('messages', { organization: '$1', environment: '$2', id: '$3' })}
     and status = 'unknown'
     and lookups = $4
     and posting_at > clock_timestamp() - ${unreadFor}`,
);

/**
 * Counts a lookup that could not read the channel as none, and schedules it again: after a quarter of the time since the
 * post, an hour at most, for three days. Nothing changes where another claim has come since.
 */
export const retryLookup = async (
  db: Queryable,
  { organization_id, environment, id, lookups }: Looked,
): Promise<void> => {
  await db.query(takeBack, [organization_id, environment, id, lookups]);
};

const end = statement<Record<string, never>>(
  'message-lookups-end',
  `update messages
   set lookup_due_at = null
   where ${isMessage('messages', { organization: '$1', environment: '$2', id: '$3' })}
     and status = 'unknown'
     and lookups = $4`,
);

/** Ends the lookups of a message with the last one, which has not found it. Nothing changes where another claim has come. */
export const endLookups = async (
  db: Queryable,
  { organization_id, environment, id, lookups }: Looked,
): Promise<void> => {
  await db.query(end, [organization_id, environment, id, lookups]);
};
