import { describe, expect, it } from '@jest/globals';
import { openSteppedDatabase } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { entities } from '../../store/entities.ts';
import { claimMethodSlot, forgetQuietMethods, holdMethod } from './method-slots.ts';

describe('the slots of a method', () => {
  const world = sharedByTests(() => openSteppedDatabase('delivery', { entities }));
  let last = 0;

  const pace = { spacingMs: 1_000, burst: 5 };
  const newName = () => {
    last += 1;
    return { workspace_id: `T${last}`, method: 'users.lookupByEmail' };
  };
  const claim = (name: ReturnType<typeof newName>, patienceMs = 60_000) =>
    claimMethodSlot(world().database, name, pace, patienceMs);

  it('allow a burst, then one after the other, however many claim at once', async () => {
    const name = newName();
    const slots = await Promise.all(Array.from({ length: 8 }, () => claim(name)));
    const waits = slots.map((slot) => slot.waitMs).sort((one, other) => one - other);
    expect(waits).toEqual([0, 0, 0, 0, 0, 1_000, 2_000, 3_000]);
    world().clock.pass(3_500);
    expect(await claim(name)).toEqual({ granted: true, waitMs: 500 });
  });

  it('are not taken by a caller whose deadline is earlier, which gets the delay', async () => {
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
    await holdMethod(world().database, name, pace, 20);
    expect(await claim(name, 15_000)).toEqual({ granted: false, waitMs: 20_000 });
  });

  it('are deleted once they delay no call', async () => {
    const [quiet, busy] = [newName(), newName()];
    await claim(quiet);
    world().clock.pass(2 * 3_600_000);
    await claim(busy);
    await forgetQuietMethods(world().database);
    const rows = await world().rows<{ workspace_id: string }>(
      'select workspace_id from method_slots where workspace_id = any($1)',
      [[quiet.workspace_id, busy.workspace_id]],
    );
    expect(rows).toEqual([{ workspace_id: busy.workspace_id }]);
  });
});
