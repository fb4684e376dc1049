import type { ConnectionRow } from '../connections/connection-tables.ts';
import type { MessageRow } from './message-tables.ts';

/** Where a message is found: by its channel and the moment of its post, a reply by its thread as well. */
type Place = Pick<MessageRow, 'workspace_id' | 'channel' | 'message_ts' | 'thread_ts' | 'visible_to'>;

/**
 * The address that opens a message in the chat platform, as its `chat.getPermalink` makes it.
 * @returns undefined where another workspace is connected now, or the message is no part of its channel's history
 */
export const permalinkOf = (
  { workspace_id, channel, message_ts, thread_ts, visible_to }: Place,
  connection: Pick<ConnectionRow, 'workspace_id' | 'workspace_url'>,
): string | undefined => {
  const { workspace_url } = connection;
  if (workspace_url === null || connection.workspace_id !== workspace_id) return undefined;
  if (channel === null || message_ts === null || visible_to !== null) return undefined;
  const address = new URL(`archives/${channel}/p${message_ts.replace('.', '')}`, workspace_url);
  if (thread_ts !== null) {
    address.searchParams.set('thread_ts', thread_ts);
    address.searchParams.set('cid', channel);
  }
  return address.href;
};
