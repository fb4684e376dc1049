import { type Queryable, statement } from '@stanza/runtime';
import type { DueLookup } from './abandoned-messages.ts';
import { isMessage } from './by-id.ts';

const takeBack = statement<Record<string, never>>(
  'message-lookup-unread',
  `update messages
   set lookups = lookups - 1,
       lookup_due_at = clock_timestamp()
         + least(interval '1 hour', greatest(interval '30 seconds', (clock_timestamp() - posting_at) / 4))
   where ${isMessage('messages', { organization: '$1', environment: '$2', id: '$3' })}
     and status = 'unknown'
     and lookups = $4
     and posting_at > clock_timestamp() - interval '3 days'`,
);

/**
 * Counts a lookup that could not read the channel as none, and schedules it again: after a quarter of the time since the
 * post, an hour at most, for three days. Nothing changes where another claim has come since.
 */
export const retryLookup = async (
  db: Queryable,
  { organization_id, environment, id, lookups }: DueLookup,
): Promise<void> => {
  await db.query(takeBack, [organization_id, environment, id, lookups]);
};
