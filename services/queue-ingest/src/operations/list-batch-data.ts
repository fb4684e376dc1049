import { digestData, listBatchData as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { endOf } from '../domain/batching.ts';
import { contentOf } from '../store/events.ts';
import { countBatchesOf, type RecentBatch, recentBatchesOf } from '../store/recent-batches.ts';

/** A batch as its next digest shows it: only a live one is shown before it closes, which it does by time at the latest. */
const asShown = (batch: RecentBatch): Pick<RecentBatch, 'closed_at' | 'close_reason'> => {
  if (batch.closed_at !== null || batch.policy.live === true) return batch;
  const { window_end } = batch;
  return { closed_at: window_end, close_reason: endOf(batch, window_end) ?? null };
};

/** Reads the recent batches of a template, each as the template sees it. */
export const listBatchData = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, template_id } }) => {
    const tenant = new Tenant(organization_id, environment);
    const batches = await recentBatchesOf(tenant, database, template_id);
    const total = await countBatchesOf(tenant, database, template_id);
    const items = [];
    // One after the other: together they may be megabytes.
    for (const batch of batches) {
      const { id, queue_id, opened_at } = batch;
      const { name } = batch.policy;
      const { closed_at, close_reason } = asShown(batch);
      const events = await contentOf(tenant, database, batch);
      const data = digestData({
        queue: { id: queue_id, name },
        batch: {
          id,
          opened_at: opened_at.toISOString(),
          closed_at: closed_at?.toISOString() ?? null,
          close_reason,
        },
        events,
      });
      items.push({ id, name, owner: null, data });
    }
    return { items, left_out: Math.max(0, total - items.length) };
  });
