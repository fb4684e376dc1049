import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HeldClock } from '../../testing/held-clock.ts';
import { openWorld, type World } from '../../testing/world.ts';
import { claimMethodSlot, forgetQuietMethods, holdMethod } from './method-slots.ts';

describe('the slots of a method', () => {
  let world: World;
  let clock: HeldClock;
  let last = 0;
  beforeAll(async () => {
    world = await openWorld();
    clock = await HeldClock.open(world);
  });
  afterAll(async () => {
    await clock.close();
    await world.close();
  });

  const pace = { spacingMs: 1_000, burst: 5 };
  const newName = () => {
    last += 1;
    return { workspace_id: `T${last}`, method: 'users.lookupByEmail' };
  };
  const claim = (name: ReturnType<typeof newName>, patienceMs = 60_000) =>
    clock.run((db) => claimMethodSlot(db, name, pace, patienceMs));

  it('allow a burst, then one after the other, however many claim at once', async () => {
    const name = newName();
    const slots = await Promise.all(Array.from({ length: 8 }, () => claim(name)));
    const waits = slots.map((slot) => slot.waitMs).sort((one, other) => one - other);
    expect(waits).toEqual([0, 0, 0, 0, 0, 1_000, 2_000, 3_000]);
    await clock.advance(3_500);
    expect(await claim(name)).toEqual({ granted: true, waitMs: 500 });
  });

  it('are not taken by whoever cannot wait so long, who learns how long it would be', async () => {
    const name = newName();
    for (let taken = 0; taken < 7; taken++) await claim(name);
    expect(await claim(name, 2_999)).toEqual({ granted: false, waitMs: 3_000 });
    expect(await claim(name, 3_000)).toEqual({ granted: true, waitMs: 3_000 });
  });

  it("are each workspace's own, and each method's", async () => {
    const name = newName();
    for (let taken = 0; taken < 7; taken++) await claim(name);
    expect(await claim(newName(), 0)).toMatchObject({ granted: true, waitMs: 0 });
    expect(await claim({ ...name, method: 'conversations.open' }, 0)).toMatchObject({
      granted: true,
      waitMs: 0,
    });
  });

  it('are held back for everybody when the platform asks for it', async () => {
    const name = newName();
    await clock.run((db) => holdMethod(db, name, pace, 20));
    expect(await claim(name, 15_000)).toEqual({ granted: false, waitMs: 20_000 });
  });

  it('are forgotten once they say nothing any more', async () => {
    const [quiet, busy] = [newName(), newName()];
    await claim(quiet);
    await clock.advance(2 * 3_600_000);
    await claim(busy);
    await clock.run(forgetQuietMethods);
    const rows = await world.rows<{ workspace_id: string }>(
      'select workspace_id from method_slots where workspace_id = any($1)',
      [[quiet.workspace_id, busy.workspace_id]],
    );
    expect(rows).toEqual([{ workspace_id: busy.workspace_id }]);
  });
});
