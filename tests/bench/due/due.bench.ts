import { join } from 'node:path';
import { entities } from '@stanza/delivery/entities';
import { claimDeferred, dueSenders } from '@stanza/delivery/testing/deferred-sends';
import { withClient } from '@stanza/local/database-client';
import { type TestDatabase, testDatabase } from '@stanza/test-kit/database';
import { percentile } from '../beside.ts';
import { onStackOf } from '../on-stack.ts';
import type { BenchMode, BenchRow } from '../row.ts';

const looks = { full: 100, check: 3 } as const;
/** Organizations with one waiting message each, and what waits behind one more. */
const crowds = {
  full: { organizations: 10_000, backlog: 300_000 },
  check: { organizations: 100, backlog: 300 },
} as const;
/** What waits behind the one organization of the other side. */
const fewMessages = 100;
/** Messages that a look may claim, and of these for one organization. */
const [places, share] = [16, 12];
const leaseMs = 60_000;

/** Stands for a claim that is not kept, so that all looks find the same. */
class Undone extends Error {}

/** Waiting messages of this many organizations, each of which is due. */
const insert = (made: TestDatabase, organization: string, messages: number): Promise<unknown> =>
  withClient(made.ownerUrl, (client) =>
    client.query(
      `insert into delivery.deferred_sends (organization_id, environment, operation_id, origin, origin_id, status,
         due_at, give_up_at, created_at)
       select ${organization}, 'production', gen_random_uuid(), 'batch', gen_random_uuid(), 'waiting',
         now() - n * interval '1 millisecond', now() + interval '1 day', now()
       from generate_series(1, $1) as n`,
      [messages],
    ),
  );

/** A database where work waits, and what has looked there. */
const lookedAt = (made: TestDatabase) => {
  const senders = dueSenders();
  const times: number[] = [];
  const look = async (): Promise<void> => {
    const begun = performance.now();
    const organizations = await senders.find(made.database);
    const claimed = made.database.transaction(async (tx) => {
      const room = { places, share, underWay: new Map(), organizations };
      if ((await claimDeferred(tx, leaseMs, room)).length === 0) throw new Error('nothing was claimed');
      times.push(performance.now() - begun);
      throw new Undone();
    });
    await claimed.catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  };
  return { look, times, made };
};

/** A look at due messages where much waits, next to one where little does, in turns, each in a database of its own. */
export const dueBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStackOf(mode, { seed: false }, async ({ directory }) => {
    const open = () =>
      testDatabase('delivery', { entities, stackFile: join(directory, 'stack.json'), pool: 1 });
    const [crowd, few] = [lookedAt(await open()), lookedAt(await open())];
    const { organizations, backlog } = crowds[mode];
    try {
      await insert(few.made, `'01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f'::uuid`, fewMessages);
      await insert(crowd.made, `'01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f'::uuid`, backlog);
      await insert(crowd.made, 'gen_random_uuid()', organizations);
      for (const { made } of [crowd, few]) {
        await withClient(made.ownerUrl, (client) => client.query('vacuum analyze delivery.deferred_sends'));
      }
      for (let at = 0; at < looks[mode]; at += 1) for (const side of [crowd, few]) await side.look();
      const [ours, theirs] = [percentile(crowd.times, 0.5), percentile(few.times, 0.5)];
      const both = (part: number) =>
        `${percentile(crowd.times, part).toFixed(1)} ms (${percentile(few.times, part).toFixed(1)})`;
      return [
        {
          what: `a look at due messages, ${organizations} organizations waiting, ${backlog} messages behind one`,
          peer: `one organization, ${fewMessages} messages`,
          ours: `${ours.toFixed(2)} ms`,
          theirs: `${theirs.toFixed(2)} ms`,
          ratio: ours / theirs,
          budget: '≤ 3',
          aim: '≤ 1.5',
          p50: both(0.5),
          p99: both(0.99),
        },
      ];
    } finally {
      await crowd.made.drop();
      await few.made.drop();
    }
  });
