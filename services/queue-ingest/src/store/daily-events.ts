import { type Queryable, statement } from '@stanza/runtime';

/** A day in UTC, with the number of an organization's events. */
export interface DailyEvents {
  day: string;
  events: number;
}

const selectDay = statement<DailyEvents>(
  'push-read-day',
  `select to_char(today.day, 'YYYY-MM-DD') as day, coalesce(daily_events.events, 0) as events
   from (select (clock_timestamp() at time zone 'UTC')::date as day) as today
   left join daily_events on organization_id = $1 and daily_events.day = today.day`,
);

/** Events that the organization has pushed today, by the clock of the database, like pushes are counted. */
export const eventsOfToday = async (database: Queryable, organizationId: string): Promise<DailyEvents> => {
  const [row] = await database.query(selectDay, [organizationId]);
  if (!row) throw new TypeError('the day has no row');
  return row;
};
