import { listBatchData as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { contentOf } from '../store/events.ts';
import { countBatchesOf, recentBatchesOf } from '../store/recent-batches.ts';

/** Reads the recent batches of a template, each as the template sees it. */
export const listBatchData = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, template_id } }) => {
    const tenant = new Tenant(organization_id, environment);
    const batches = await recentBatchesOf(tenant, database, template_id);
    const total = await countBatchesOf(tenant, database, template_id);
    const items = [];
    // One after the other: together they may be megabytes.
    for (const { id, queue_id, queue_name: name, opened_at, closed_at, close_reason } of batches) {
      const events = await contentOf(tenant, database, { id, opened_at });
      const data = {
        queue: { id: queue_id, name },
        batch: {
          id,
          opened_at: opened_at.toISOString(),
          closed_at: closed_at?.toISOString() ?? null,
          close_reason,
        },
        closed: closed_at !== null,
        events,
        event_count: events.length,
        first: events[0],
        last: events.at(-1),
      };
      items.push({ id, name, owner: null, data });
    }
    return { items, left_out: Math.max(0, total - items.length) };
  });
