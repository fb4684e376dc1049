import { CodedError, type InputOf, type sendTemplate } from '@stanza/contracts';
import type { ServiceContext, Tenant } from '@stanza/runtime';
import { findConnection } from '../connections/store/connections.ts';
import type { MessageRow } from './message-tables.ts';
import { findMessage } from './store/message-log.ts';

type Given = Partial<
  Pick<InputOf<typeof sendTemplate>['body'], 'channel_id' | 'recipient_email' | 'recipient_chat_id'>
>;

const refused = (message: string, details: string): CodedError =>
  new CodedError('invalid_state', { message, details });

/** Whether a message is in the conversation that a request names. */
const isIn = (row: MessageRow, { channel_id, recipient_email, recipient_chat_id }: Given): boolean => {
  if (typeof channel_id === 'string') return row.channel === channel_id || row.channel_id === channel_id;
  if (typeof recipient_email === 'string') {
    return row.recipient_email?.toLowerCase() === recipient_email.toLowerCase();
  }
  return row.recipient_chat_id === recipient_chat_id;
};

/**
 * The thread of a message of this service that another replies to.
 * @param id the message that is replied to
 * @throws CodedError `invalid_state` for a reply to what is not in that conversation
 */
export const threadOf = async (
  { database }: Pick<ServiceContext<unknown>, 'database'>,
  tenant: Tenant,
  given: Given,
  id: string,
): Promise<string | null> => {
  const row = await findMessage(tenant, database, id);
  if (!row) throw refused('The message of `reply_to` is not in this environment.', id);
  if (row.status !== 'sent' || row.visible_to !== null) {
    const state = row.visible_to === null ? row.status : 'visible to one person';
    throw refused(`The message of \`reply_to\` is ${state}, so that nothing can reply to it.`, id);
  }
  // A thread is of its workspace: in another one its time may be that of a message of someone else.
  const connection = await findConnection(tenant, database);
  if (connection && connection.workspace_id !== row.workspace_id) {
    throw refused('The message of `reply_to` is in a workspace that is no longer connected.', id);
  }
  // Which one it is in takes `usage:read`.
  if (!isIn(row, given)) {
    throw refused('The message of `reply_to` is in another conversation; name that one.', id);
  }
  return row.thread_ts ?? row.message_ts;
};
