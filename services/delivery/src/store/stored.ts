import { storedBytes, storedCount } from '@stanza/runtime';

/** The destinations of an organization. */
export const storedDestinations = storedCount({ kind: 'destinations', table: 'destinations' });

/** The scheduled messages of an organization that have not ended; a pause gives no room. */
export const storedSchedules = storedCount({
  kind: 'scheduled_messages',
  table: 'scheduled_messages',
  where: 'ended_at is null',
});

/** The data of scheduled messages that have not ended. */
export const storedScheduledData = storedBytes('scheduled_data_bytes', [
  {
    table: 'scheduled_messages',
    id: 'id',
    columns: ['data'],
    bytes: 'data_bytes',
    where: 'ended_at is null',
  },
]);
