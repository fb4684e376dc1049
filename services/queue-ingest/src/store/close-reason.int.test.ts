import { describe, expect, it } from '@jest/globals';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { endOf, openBatch } from '../domain/batching.ts';
import type { Policy } from '../domain/tables.ts';
import { newQueue, openWorld, rolling, somebody } from '../testing/world.ts';
import { closeDue, dueClosings } from './closings.ts';

const modes = ['rolling_window', 'fixed_volume'] as const;
/** Milliseconds from now to the end of the window, and from there to the latest end. */
const ends = [-3_600_000, -1, 0, 60_000];
const rests = [0, 1, 3_600_000];

const policyOf = (mode: Policy['mode']): Policy => ({
  name: 'Alerts',
  mode,
  window_seconds: 60,
  max_window_seconds: null,
  threshold: 10,
  max_wait_seconds: null,
  template_id: null,
  channel_id: 'C1',
  recipient_email: null,
  recipient_chat_id: null,
  destination_id: null,
});

const insert = `
  insert into batches (organization_id, environment, id, queue_id, status, policy, event_count, byte_count, opened_at,
    window_end, latest_end)
  values ($1, 'production', $2, $3, 'collecting', $4, 1, 1, $5, $6, $7)`;

describe('the close reason of a batch', () => {
  const world = sharedByTests(openWorld);

  it('is the same in the statement that closes due batches and in the rule of a push', async () => {
    const [clock] = await world().rows<{ now: Date }>('select clock_timestamp()::timestamptz(3) as now');
    const now = clock?.now ?? new Date(0);
    const expected = new Map<string, string>();
    const waiting: string[] = [];
    for (const mode of modes) {
      for (const end of ends) {
        for (const rest of rests) {
          const principal = somebody();
          const queue = await newQueue(world(), principal, rolling);
          const window_end = new Date(now.getTime() + end);
          const latest_end = new Date(window_end.getTime() + rest);
          const opened = new Date(now.getTime() - 7_200_000);
          const batch = { ...openBatch(newId(), policyOf(mode), opened), window_end, latest_end };
          const { id, policy, opened_at } = batch;
          const values = [principal.organization_id, id, queue.id, policy, opened_at, window_end, latest_end];
          await world().rows(insert, values);
          const reason = endOf(batch, now);
          if (reason === undefined) waiting.push(id);
          else expected.set(id, reason);
        }
      }
    }
    const organizations = await dueClosings().find(world().database);
    const { closed } = await world().database.transaction((tx) => closeDue(tx, organizations));
    expect(new Map(closed.map((it) => [it.id, it.close_reason]))).toEqual(expected);
    expect(new Set(expected.values())).toEqual(new Set(['max_wait', 'window_elapsed', 'max_window']));
    expect(waiting).toHaveLength(modes.length * rests.length);
  });
});
