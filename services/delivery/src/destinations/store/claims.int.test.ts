import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { asOwner, rowsReadBy } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newDestination, order } from '../../testing/deliveries.ts';
import { openWorld, somebody } from '../../testing/world.ts';
import { claimDeliveries, dueDeliverers } from './delivery-attempts.ts';

/** Deliveries of the organization with the backlog. */
const backlog = 30;
/** Organizations with a destination whose delivery is due later. */
const waiting = 400;

describe('claims of deliveries', () => {
  const world = sharedByTests(openWorld);

  /** Someone with a delivery that is due. */
  const withDelivery = async (): Promise<Principal> => {
    const principal = somebody();
    const { id } = await newDestination(world(), principal, { url: 'https://example.com/hook' });
    await order(world(), principal, id);
    return principal;
  };
  /** More deliveries like that of an organization, due after this many minutes. */
  const more = ({ organization_id }: Principal, count: number, minutes: number) =>
    world().rows(
      `insert into deliveries
       select (jsonb_populate_record(delivery, jsonb_build_object('id', gen_random_uuid(),
         'operation_id', gen_random_uuid(), 'due_at', now() + $3::integer * interval '1 minute'))).*
       from deliveries as delivery, generate_series(1, $2::integer)
       where organization_id = $1
       returning 1`,
      [organization_id, count, minutes],
    );
  /** Organizations of which each has a destination like that of one, and a delivery to it that is due in an hour. */
  const others = ({ organization_id }: Principal, count: number) =>
    world().rows(
      `with owner as (
         select gen_random_uuid() as id from generate_series(1, $2::integer)
       ), made as (
         insert into destinations
         select (jsonb_populate_record(destination, jsonb_build_object('organization_id', owner.id))).*
         from destinations as destination, owner
         where organization_id = $1
       )
       insert into deliveries
       select (jsonb_populate_record(delivery, jsonb_build_object('organization_id', owner.id,
         'due_at', now() + interval '1 hour'))).*
       from deliveries as delivery, owner
       where organization_id = $1
       returning 1`,
      [organization_id, count],
    );

  it('are made for each organization, and read no destinations that only wait', async () => {
    const [busy, other] = [await withDelivery(), await withDelivery()];
    await others(other, waiting);
    await more(busy, backlog, -60);
    // As autovacuum does within a minute; without statistics Postgres reads and sorts what is due.
    await asOwner('delivery', world().ownerUrl, (owner) => owner.query('analyze deliveries'));
    const due = dueDeliverers();
    let claimed: string[] = [];
    const read = await rowsReadBy(world().database, ['deliveries'], async (tx) => {
      const rows = await claimDeliveries(tx, 60_000, {
        claimed: 16,
        free: 64,
        ofDestination: 4,
        byDestination: new Map(),
        byOrganization: new Map(),
        organizations: await due.find(tx),
      });
      claimed = rows.map((it) => it.organization_id);
    });
    expect(claimed.toSorted()).toEqual(
      [...Array.from({ length: 4 }, () => busy.organization_id), other.organization_id].toSorted(),
    );
    // A plan that reads the waiting ones reads all of them.
    expect(read).toBeLessThan(waiting / 2);
  });
});
