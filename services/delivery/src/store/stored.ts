import { storedCount } from '@stanza/runtime';

/** The destinations of an organization. */
export const storedDestinations = storedCount({ kind: 'destinations', table: 'destinations' });

/** The active scheduled messages of an organization. */
export const storedSchedules = storedCount({
  kind: 'scheduled_messages',
  table: 'scheduled_messages',
  where: "status = 'active'",
});
