import type { Message } from '@stanza/contracts';
import {
  followed,
  nullable,
  ofTenant,
  type RowOf,
  table,
  tenant,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/table';

/**
 * What of a message changes and is looked for: one row next to each message, which triggers of `messages` write. So no
 * index of a message holds what changes, and its end is an update in place; and no way to write a message, nor a
 * process of a version before, can forget its row.
 */
export const messageStates = table('message_states', {
  columns: {
    ...tenant,
    message_id: uuid(),
    /** That of the message, and so its change. */
    changed_at: timestamp(),
    status: text<Message['status']>(),
    /** Of an open message the deadline of its sender; of an unknown one its next lookup, null for none. */
    due_at: nullable(timestamp()),
  },
  filledColumns: followed,
  primaryKey: { name: 'message_states_pk', columns: ofTenant('message_id') },
  indices: [
    { name: 'message_states_unsent', columns: ofTenant('status', 'message_id'), where: "status <> 'sent'" },
    {
      name: 'message_states_followed',
      columns: ofTenant('changed_at', 'message_id'),
      synchronize: false,
    },
    { name: 'message_states_open', columns: ['due_at'], where: "status in ('accepted', 'posting')" },
    {
      name: 'message_states_lookup_due',
      columns: ['due_at'],
      where: "status = 'unknown' and due_at is not null",
    },
    {
      name: 'message_states_lookup_turns',
      columns: ['organization_id', 'due_at'],
      where: "status = 'unknown' and due_at is not null",
    },
  ],
});

/** A row of {@link messageStates}. */
export type MessageStateRow = RowOf<typeof messageStates>;
