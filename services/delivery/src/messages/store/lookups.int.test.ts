import { describe, expect, it } from '@jest/globals';
import { asOwner, rowsReadBy } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { connected, openWorld, send } from '../../testing/world.ts';
import { claimDueLookups, dueLookups } from './abandoned-messages.ts';

/** Messages of one organization, enough that reading all of them shows. */
const backlog = 3_000;
/** Organizations with a message whose lookup is due later. */
const waiting = 300;
const places = 20;

const times = { delaysMs: [30_000], settledMs: 1_000, leaseMs: 30_000 };

describe('lookups of unknown messages', () => {
  const world = sharedByTests(openWorld);

  /**
   * Unknown messages like that of an organization, of itself or of one each, with a lookup due this many minutes ago.
   */
  const unknown = (like: string, owner: string, messages: number, minutes: number) =>
    world().rows(
      `insert into messages
       select (jsonb_populate_record(message, jsonb_build_object('id', gen_random_uuid(), 'organization_id', ${owner},
         'operation_id', gen_random_uuid(), 'credit_log_id', gen_random_uuid(), 'status', 'unknown', 'charged', false,
         'message_ts', null, 'lookup_due_at', now() - $3::integer * interval '1 minute'))).*
       from messages as message, generate_series(1, $2::integer)
       where organization_id = $1
       returning 1`,
      [like, messages, minutes],
    );

  const withUnknown = async (messages: number, minutes: number): Promise<string> => {
    const principal = await connected(world());
    await send(world(), principal);
    await unknown(principal.organization_id, 'organization_id', messages, minutes);
    return principal.organization_id;
  };

  it('are made for each organization in its turn, whatever another has waiting, and read no backlog', async () => {
    const busy = await withUnknown(backlog, 60);
    const other = await withUnknown(1, 1);
    await unknown(other, 'gen_random_uuid()', waiting, -60);
    // As autovacuum does within a minute; without statistics Postgres reads and sorts what is due.
    await asOwner('delivery', world().ownerUrl, (owner) => owner.query('analyze messages, message_states'));
    const due = dueLookups();
    let claimed: string[] = [];
    const read = await rowsReadBy(world().database, ['messages', 'message_states'], async (tx) => {
      const organizations = await due.find(tx);
      const messages = await claimDueLookups(tx, times, {
        places,
        share: 20,
        underWay: new Map(),
        organizations,
      });
      claimed = messages.map((it) => it.organization_id);
    });
    expect(claimed).toHaveLength(places);
    expect(claimed.filter((it) => it === other)).toHaveLength(1);
    expect(claimed.filter((it) => it === busy)).toHaveLength(places - 1);
    expect(read).toBeLessThan(400);
  });

  it('of an organization that has its share under way wait for the next claim', async () => {
    const [busy, other] = [await withUnknown(3, 60), await withUnknown(3, 1)];
    const organizations = [busy, other];
    const messages = await claimDueLookups(world().database, times, {
      places,
      share: 2,
      underWay: new Map([[busy, 1]]),
      organizations,
    });
    const claimed = messages.map((it) => it.organization_id);
    expect(claimed.toSorted()).toEqual([busy, other, other].toSorted());
  });
});
