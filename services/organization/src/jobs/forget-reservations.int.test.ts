import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { reserveCredits } from '../operations/reserve-credits.ts';
import { accountOf, found, openWorld, runInternal, type World } from '../testing/world.ts';
import { forgetReservations } from './forget-reservations.ts';

const dayMs = 86_400_000;

describe('reservations past their retention', () => {
  let world: World;
  let organizationId: string;
  let forget: () => Promise<void>;
  let made = 0;

  beforeAll(async () => {
    world = await openWorld();
    forget = forgetReservations(world, { STANZA_RESERVATION_DAYS: 30 });
    ({ id: organizationId } = await found(world, { credits: 50 }));
  });
  afterAll(() => world.close());

  const reserve = async (amount: number): Promise<string> => {
    const operation_id = newId();
    const origin = { template_id: newId(), actor_id: newId(), operation: 'send' } as const;
    await runInternal(reserveCredits(world), {
      organization_id: organizationId,
      environment: 'production',
      operation_id,
      amount,
      ...origin,
    });
    // The id holds the time of the reservation by the machine's clock; the test sets another one.
    made += 1;
    const id = uuidv7({ msecs: world.clock.now().getTime(), seq: made });
    await world.rows('update reservations set id = $2 where operation_id = $1', [operation_id, id]);
    return operation_id;
  };

  /** Closes every message of a reservation the given number of days ago. */
  const settle = async (operationId: string, daysAgo: number): Promise<void> => {
    const at = new Date(world.clock.now().getTime() - daysAgo * dayMs);
    await world.rows(
      `insert into settlements (organization_id, operation_id, item, charged, settled_at)
       select organization_id, operation_id, item - 1, false, $2
       from reservations, generate_series(1, amount) as item
       where operation_id = $1`,
      [operationId, at],
    );
    await world.rows('update reservations set open_items = 0, closed_at = $2 where operation_id = $1', [
      operationId,
      at,
    ]);
  };

  const left = async (): Promise<unknown> => ({
    reservations: (await world.rows('select operation_id from reservations order by id')).map(
      (it) => Object(it).operation_id,
    ),
    settlements: await world.rows('select operation_id, item from settlements order by operation_id, item'),
  });

  it('are deleted with the outcomes of their messages; open or younger ones stay, however often it runs', async () => {
    const [old, open, young] = [await reserve(3), await reserve(1), await reserve(1)];
    world.clock.pass(40 * dayMs);
    await settle(old, 31);
    await settle(young, 29);
    const before = await accountOf(world, organizationId);
    await forget();
    await forget();
    expect(await left()).toEqual({
      reservations: [open, young],
      settlements: [{ operation_id: young, item: 0 }],
    });
    expect(await accountOf(world, organizationId)).toEqual(before);
  });
});
