import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentEvent } from '../events/present-event.ts';
import { eventsBefore } from '../events/store/events.ts';

/** Lists the events of the caller's environment, newest first. */
export const listEvents = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.listEvents, async ({ tenant, input: { query } }) => {
    const { cursor, limit = query.count } = query;
    const position = cursor === undefined ? undefined : contracts.readLogPlace(cursor);
    // One more than asked for shows whether there are more.
    const rows = await eventsBefore(tenant, database, query, position, limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      data: shown.map(presentEvent),
      next_cursor:
        last && rows.length > limit ? contracts.logPlaceText({ at: last.created_at, id: last.id }) : null,
    };
  });
