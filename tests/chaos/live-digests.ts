import type { Evidence } from './evidence.ts';
import type { Verdict } from './verdict.ts';

/** Events that a digest of the load names one by one. */
const named = 45;

/** A closed batch is shown whole, by one message that was there before; or visibly failed. */
export const liveClosed = ({ events, posts, markersOf }: Evidence): Verdict => {
  const live = Map.groupBy(
    events.filter((it) => it.is_live),
    (it) => it.batch_id,
  );
  const postOf = new Map(posts.map((post) => [String(post.key), post]));
  const broken: string[] = [];
  for (const [batch, rows] of live) {
    const [{ status, message_id } = { status: '', message_id: null }] = rows;
    const post = postOf.get(message_id ?? '');
    if (status !== 'delivered' || !post || rows.length > named) continue;
    const shown = new Set(markersOf.get(post));
    const missing = rows.filter(({ marker }) => !shown.has(marker)).length;
    if (missing > 0)
      broken.push(`the message of live batch ${batch} lacks ${missing} of ${rows.length} events`);
  }
  const statuses = [...live.values()].flatMap(([row]) => (row ? [row] : []));
  return {
    name: 'the message of a live batch shows each of its events once the batch is closed',
    figures: {
      'live batches': statuses.length,
      delivered: statuses.filter((it) => it.status === 'delivered').length,
      'waiting for a lookup': statuses.filter((it) => it.awaits_lookup && it.status === 'delivering').length,
    },
    broken,
  };
};
