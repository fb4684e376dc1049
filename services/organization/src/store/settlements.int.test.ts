import { describe, expect, it } from '@jest/globals';
import { newId, Tenant } from '@stanza/runtime';
import { rowsReadBy } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { accountOf, found, openWorld } from '../testing/world.ts';
import { settleTogether } from './settlements.ts';

/** Enough that reading all of them shows. */
const reservationsBefore = 3_000;
/** Those that are settled at one time. */
const settledTogether = 16;

describe('settlements', () => {
  const world = sharedByTests(() => openWorld());

  it('read the reservations of their operations alone, whatever else their organization has reserved', async () => {
    const { id } = await found(world(), { credits: 10_000 });
    await world().rows('update credit_accounts set reserved = $2 where organization_id = $1', [
      id,
      reservationsBefore,
    ]);
    const reserved = await world().rows<{ operation_id: string }>(
      `insert into reservations (id, organization_id, environment, operation_id, template_id, actor_id, amount,
         open_items, remaining_credits, created_at, report_due_at)
       select gen_random_uuid(), $1, 'production', gen_random_uuid(), gen_random_uuid(), 'key', 1, 1, 0, now(), now()
       from generate_series(1, $2::integer)
       returning operation_id`,
      [id, reservationsBefore],
    );
    const tenant = new Tenant(id, 'production');
    const works = reserved.slice(0, settledTogether).map(({ operation_id }) => ({
      tenant,
      operationId: operation_id,
      items: [{ item: 0, charged: true, creditLogId: newId(), messageId: newId() }],
    }));
    const at = world().clock.now();
    const read = await rowsReadBy(world().database, 'reservations', async (tx) => {
      expect(await settleTogether(tx, id, works, at)).toEqual(works.map(() => 1));
    });
    // Each is read once, and once more where it is changed.
    expect(read).toBeLessThanOrEqual(2 * settledTogether);
    expect(await accountOf(world(), id)).toMatchObject({ reserved: reservationsBefore - settledTogether });
  });
});
