import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentEvent } from '../events/present-event.ts';
import { type EventPosition, eventsBefore } from '../events/store/events.ts';

const positionOf = (cursor: string): EventPosition => ({
  at: new Date(Number(cursor.slice(0, 13))),
  id: cursor.slice(14),
});

const cursorOf = ({ created_at, id }: { created_at: Date; id: string }): string =>
  `${String(created_at.getTime()).padStart(13, '0')}-${id}`;

/** Lists the events of the caller's environment, newest first. */
export const listEvents = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.listEvents, async ({ tenant, input: { query } }) => {
    const { cursor, limit = query.count } = query;
    const position = cursor === undefined ? undefined : positionOf(cursor);
    // One more than asked for shows whether there are more.
    const rows = await eventsBefore(tenant, database, query, position, limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      data: shown.map(presentEvent),
      next_cursor: last && rows.length > limit ? cursorOf(last) : null,
    };
  });
