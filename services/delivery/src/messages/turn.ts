import { setTimeout as pause } from 'node:timers/promises';
import { slowedDown } from '../chat/errors.ts';
import type { ChannelName } from '../chat/store/channel-slots.ts';
import type { Deadline } from '../deadline.ts';
import type { SharedWrites } from './shared-writes.ts';

/** Milliseconds that a post should have; one that would begin later than that before the end does not begin. */
export const postRoomMs = 2_000;

/**
 * Waits for the message's turn in its channel.
 * @throws CodedError `rate_limited` at once when its turn would come too late; nothing was taken
 */
export const awaitTurn = async (
  { claimSlot }: Pick<SharedWrites, 'claimSlot'>,
  channel: ChannelName,
  deadline: Deadline,
): Promise<void> => {
  const patienceMs = deadline.before(postRoomMs).remaining;
  const { granted, waitMs } = await claimSlot({ ...channel, patienceMs });
  if (!granted) throw slowedDown(waitMs / 1_000);
  if (waitMs > 0) await pause(waitMs);
};
