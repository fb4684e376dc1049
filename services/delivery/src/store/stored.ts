import { storedBytes, storedCount } from '@stanza/runtime';

/** The destinations of an organization. */
export const storedDestinations = storedCount({ kind: 'destinations', table: 'destinations' });

/** The active scheduled messages of an organization. */
export const storedSchedules = storedCount({
  kind: 'scheduled_messages',
  table: 'scheduled_messages',
  where: "status = 'active'",
});

/** The data of active scheduled messages. */
export const storedScheduledData = storedBytes('scheduled_data_bytes', [
  {
    table: 'scheduled_messages',
    id: 'id',
    columns: ['data'],
    bytes: 'data_bytes',
    where: "status = 'active'",
  },
]);
