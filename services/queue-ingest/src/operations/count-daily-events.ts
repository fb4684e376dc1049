import { countDailyEvents as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { eventsOfToday } from '../store/daily-events.ts';

/** Answers the organization service with the number of today's events. */
export const countDailyEvents = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input }) => eventsOfToday(database, input.organization_id));
