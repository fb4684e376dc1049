import { type Queryable, statement } from '@stanza/runtime';

const selectDay = statement<{ events: number }>(
  'push-read-day',
  `select events
   from daily_events
   where organization_id = $1 and day = $2`,
);

/** Events that the organization has pushed on a day so far. */
export const dailyEvents = async (
  database: Queryable,
  organizationId: string,
  day: string,
): Promise<number> => {
  const [row] = await database.query(selectDay, [organizationId, day]);
  return row?.events ?? 0;
};
