import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../testing/world.ts';
import { claimMethodSlot, forgetQuietMethods, holdMethod } from './method-slots.ts';

describe('the slots of a method', () => {
  let world: World;
  let last = 0;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const pace = { spacingMs: 1_000, burst: 5 };
  const newName = () => {
    last += 1;
    return { workspace_id: `T${last}`, method: 'users.lookupByEmail' };
  };
  const claim = (name: ReturnType<typeof newName>, patienceMs = 60_000) =>
    claimMethodSlot(world.database, name, pace, patienceMs);

  it('allow a burst, then one after the other, however many claim at once', async () => {
    const name = newName();
    const begun = performance.now();
    const slots = await Promise.all(Array.from({ length: 8 }, () => claim(name)));
    const elapsed = (performance.now() - begun) / 1_000;
    const seconds = slots.map((slot) => slot.waitMs / 1_000).sort((one, other) => one - other);
    [0, 0, 0, 0, 0, 1, 2, 3].forEach((second, index) => {
      // Whoever claims later has waited already.
      expect(seconds[index]).toBeLessThan(second + 0.1);
      expect(seconds[index]).toBeGreaterThan(second - elapsed - 0.1);
    });
  });

  it('are not taken by whoever cannot wait so long, who learns how long it would be', async () => {
    const name = newName();
    for (let taken = 0; taken < 7; taken++) await claim(name);
    const refused = await claim(name, 100);
    expect(refused.granted).toBe(false);
    expect(refused.waitMs).toBeGreaterThan(100);
    expect((await claim(name)).waitMs).toBeLessThan(3_100);
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
    await holdMethod(world.database, name, pace, 20);
    const refused = await claim(name, 15_000);
    expect(refused.granted).toBe(false);
    expect(refused.waitMs).toBeGreaterThan(19_000);
    expect(refused.waitMs).toBeLessThanOrEqual(20_000);
  });

  it('are forgotten once they say nothing any more', async () => {
    const [quiet, busy] = [newName(), newName()];
    await claim(quiet);
    await claim(busy);
    await world.rows(
      "update method_slots set next_free_at = next_free_at - interval '2 hours' where workspace_id = $1",
      [quiet.workspace_id],
    );
    await forgetQuietMethods(world.database);
    const rows = await world.rows<{ workspace_id: string }>(
      'select workspace_id from method_slots where workspace_id = any($1)',
      [[quiet.workspace_id, busy.workspace_id]],
    );
    expect(rows).toEqual([{ workspace_id: busy.workspace_id }]);
  });
});
