import { countDailyEvents as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { dailyEvents } from '../store/daily-events.ts';

/** Tells the organization service how many events of today count against the tier. */
export const countDailyEvents = ({ database, clock }: Pick<Parts, 'database' | 'clock'>) =>
  handle(operation, async ({ input }) => {
    const day = clock.now().toISOString().slice(0, 10);
    return { day, events: await dailyEvents(database, input.organization_id, day) };
  });
