import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../testing/world.ts';
import { claimSlot, claimSlots, forgetQuietChannels, holdChannel } from './channel-slots.ts';

describe('the slots of a channel', () => {
  let world: World;
  let last = 0;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const newPlace = () => {
    last += 1;
    return { workspace_id: 'T1', channel: `C${last}` };
  };
  const claim = (place: ReturnType<typeof newPlace>, patienceMs = 60_000) =>
    claimSlot(world.database, place, patienceMs);

  it('allow a burst of three, then one a second, however many claim at once', async () => {
    const place = newPlace();
    const slots = await Promise.all(Array.from({ length: 8 }, () => claim(place)));
    const seconds = slots.map((slot) => slot.waitMs / 1_000).sort((one, other) => one - other);
    [0, 0, 0, 1, 2, 3, 4, 5].forEach((second, index) => {
      expect(Math.abs((seconds[index] ?? -1) - second)).toBeLessThan(0.5);
    });
  });

  it('are not taken by whoever cannot wait so long, who learns how long it would be', async () => {
    const place = newPlace();
    for (let taken = 0; taken < 4; taken++) await claim(place);
    const refused = await claim(place, 1_000);
    expect(refused.granted).toBe(false);
    expect(refused.waitMs).toBeGreaterThan(1_000);
    const patient = await claim(place, 5_000);
    expect(patient.granted).toBe(true);
    expect(patient.waitMs).toBeLessThan(2_100);
  });

  it('are taken for many wishes at once, each channel as often as its pace and the patience allow', async () => {
    const [one, two] = [newPlace(), newPlace()];
    const wishes = Array.from({ length: 40 }, (_, index) => ({
      ...(index % 2 === 0 ? one : two),
      patienceMs: index === 39 ? 60_000 : 2_500,
    }));
    const slots = await claimSlots(world.database, wishes);
    const granted = (place: typeof one) =>
      wishes.filter((wish, index) => wish.channel === place.channel && slots[index]?.granted);
    expect(granted(one)).toHaveLength(5);
    expect(granted(two)).toHaveLength(6);
    expect(slots[39]?.granted).toBe(true);
    expect(slots[38]?.waitMs).toBeGreaterThan(2_500);
  });

  it("are each channel's own, and each workspace's", async () => {
    const place = newPlace();
    for (let taken = 0; taken < 5; taken++) await claim(place);
    expect(await claim(newPlace(), 0)).toMatchObject({ granted: true, waitMs: 0 });
    expect(await claim({ ...place, workspace_id: 'T2' }, 0)).toMatchObject({ granted: true, waitMs: 0 });
  });

  it('are held back for everybody when the platform asks for it', async () => {
    const place = newPlace();
    await holdChannel(world.database, place, 20);
    const refused = await claim(place, 15_000);
    expect(refused.granted).toBe(false);
    expect(refused.waitMs).toBeGreaterThan(19_000);
    expect(refused.waitMs).toBeLessThanOrEqual(20_000);
    await holdChannel(world.database, place, 1);
    expect((await claim(place, 60_000)).waitMs).toBeGreaterThan(19_000);
  });

  it('are forgotten once they say nothing any more', async () => {
    const [quiet, busy] = [newPlace(), newPlace()];
    await claim(quiet);
    await claim(busy);
    await world.rows(
      "update channel_slots set next_free_at = next_free_at - interval '2 hours' where channel = $1",
      [quiet.channel],
    );
    await forgetQuietChannels(world.database);
    const rows = await world.rows<{ channel: string }>(
      'select channel from channel_slots where channel = any($1)',
      [[quiet.channel, busy.channel]],
    );
    expect(rows.map((row) => row.channel)).toEqual([busy.channel]);
  });
});
