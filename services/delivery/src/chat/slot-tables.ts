import { microseconds, type RowOf, table, text } from '@stanza/runtime/table';

/** When the next message may be posted to a channel. */
export const channelSlots = table('channel_slots', {
  columns: {
    workspace_id: text(),
    channel: text(),
    next_free_at: microseconds(),
  },
  primaryKey: { name: 'channel_slots_pk', columns: ['workspace_id', 'channel'] },
  indices: [{ name: 'channel_slots_next_free_at', columns: ['next_free_at'] }],
});

/** A row of {@link channelSlots}. */
export type ChannelSlotRow = RowOf<typeof channelSlots>;

/** When the next call of a method may be made in a workspace. */
export const methodSlots = table('method_slots', {
  columns: {
    workspace_id: text(),
    method: text(),
    next_free_at: microseconds(),
  },
  primaryKey: { name: 'method_slots_pk', columns: ['workspace_id', 'method'] },
  indices: [{ name: 'method_slots_next_free_at', columns: ['next_free_at'] }],
});

/** A row of {@link methodSlots}. */
export type MethodSlotRow = RowOf<typeof methodSlots>;
