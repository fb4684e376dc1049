import { describe, expect, it } from '@jest/globals';
import { openSteppedDatabase } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { entities } from '../../store/entities.ts';
import { claimSlot, claimSlots, forgetQuietChannels, holdChannel } from './channel-slots.ts';

describe('the slots of a channel', () => {
  const world = sharedByTests(() => openSteppedDatabase('delivery', { entities }));
  let last = 0;

  const newPlace = () => {
    last += 1;
    return { workspace_id: 'T1', channel: `C${last}` };
  };
  const claim = (place: ReturnType<typeof newPlace>, patienceMs = 60_000) =>
    claimSlot(world().database, place, patienceMs);
  const hold = (place: ReturnType<typeof newPlace>, seconds: number) =>
    holdChannel(world().database, place, seconds);

  it('allow a burst of three, then one a second, however many claim at once', async () => {
    const place = newPlace();
    const slots = await Promise.all(Array.from({ length: 8 }, () => claim(place)));
    const waits = slots.map((slot) => slot.waitMs).sort((one, other) => one - other);
    expect(waits).toEqual([0, 0, 0, 1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('are free again as time goes on: one a second, and never more than the burst', async () => {
    const place = newPlace();
    for (let taken = 0; taken < 4; taken++) await claim(place);
    world().clock.pass(1_500);
    expect(await claim(place)).toEqual({ granted: true, waitMs: 500 });
    world().clock.pass(3_600_000);
    const waits = [await claim(place), await claim(place), await claim(place), await claim(place)];
    expect(waits.map((slot) => slot.waitMs)).toEqual([0, 0, 0, 1_000]);
  });

  it('are not taken by a caller whose deadline is earlier, which gets the delay', async () => {
    const place = newPlace();
    for (let taken = 0; taken < 4; taken++) await claim(place);
    expect(await claim(place, 1_999)).toEqual({ granted: false, waitMs: 2_000 });
    expect(await claim(place, 2_000)).toEqual({ granted: true, waitMs: 2_000 });
  });

  it('are taken for many messages at once, each channel as often as its pace and the deadline allow', async () => {
    const [one, two] = [newPlace(), newPlace()];
    const wishes = Array.from({ length: 40 }, (_, index) => ({
      ...(index % 2 === 0 ? one : two),
      patienceMs: index === 39 ? 60_000 : 2_500,
    }));
    const slots = await claimSlots(world().database, wishes);
    const granted = (place: typeof one) =>
      wishes.filter((wish, index) => wish.channel === place.channel && slots[index]?.granted);
    expect(granted(one)).toHaveLength(5);
    expect(granted(two)).toHaveLength(6);
    expect(slots[39]).toEqual({ granted: true, waitMs: 3_000 });
    expect(slots[38]).toEqual({ granted: false, waitMs: 3_000 });
  });

  it("are each channel's own, and each workspace's", async () => {
    const place = newPlace();
    for (let taken = 0; taken < 5; taken++) await claim(place);
    expect(await claim(newPlace(), 0)).toMatchObject({ granted: true, waitMs: 0 });
    expect(await claim({ ...place, workspace_id: 'T2' }, 0)).toMatchObject({ granted: true, waitMs: 0 });
  });

  it('are held back for everybody when the platform asks for it', async () => {
    const place = newPlace();
    await hold(place, 20);
    expect(await claim(place, 15_000)).toEqual({ granted: false, waitMs: 20_000 });
    await hold(place, 1);
    expect(await claim(place, 60_000)).toEqual({ granted: true, waitMs: 20_000 });
  });

  it('are deleted once they delay no call', async () => {
    const [quiet, busy] = [newPlace(), newPlace()];
    await claim(quiet);
    world().clock.pass(2 * 3_600_000);
    await claim(busy);
    await forgetQuietChannels(world().database);
    const rows = await world().rows<{ channel: string }>(
      'select channel from channel_slots where channel = any($1)',
      [[quiet.channel, busy.channel]],
    );
    expect(rows.map((row) => row.channel)).toEqual([busy.channel]);
  });
});
