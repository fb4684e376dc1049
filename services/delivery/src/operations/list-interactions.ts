import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentInteraction } from '../interactions/present-interaction.ts';
import { pageOfInteractions } from '../interactions/store/interaction-log.ts';

/** Lists interactions with their outcomes, newest first. */
export const listInteractions = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.listInteractions, async ({ tenant, input }) => {
    const { offset, limit } = input.query;
    const page = await pageOfInteractions(tenant, database, input.query);
    const next_cursor = contracts.cursorAfter(page, offset, ({ row }) => ({
      at: row.created_at,
      id: row.id,
    }));
    // A page that ended early is so long, for clients that count on by it.
    const held = next_cursor === null ? limit : page.items.length;
    return {
      data: page.items.map(presentInteraction),
      pagination: { offset, limit: held, total: page.total },
      next_cursor,
    };
  });
