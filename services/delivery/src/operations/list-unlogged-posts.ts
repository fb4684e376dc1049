import * as contracts from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import { readPosts } from '../chat/history.ts';
import type { ChatAccess } from '../chat/platform.ts';
import { readToken } from '../connections/chat-access.ts';
import { listWorkspaceConnections } from '../connections/store/connections.ts';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { unloggedOf } from '../messages/store/reconciliation.ts';

type Needs = Pick<Dependencies, 'database' | 'chat' | 'keyring' | 'clock' | 'log'>;

/** An access of any organization to a workspace: its channels are read, and compared with the log of all. */
const accessTo = async (
  { database, keyring }: Needs,
  workspaceId: string,
): Promise<(ChatAccess & { botUserId: string }) | undefined> => {
  for (const row of await listWorkspaceConnections(database, workspaceId)) {
    if (row.revoked_at !== null) continue;
    const token = readToken(new Tenant(row.organization_id, row.environment), row, keyring);
    if (token !== undefined) return { connectionId: row.id, workspaceId, token, botUserId: row.bot_user_id };
  }
  return undefined;
};

const unread = { posts: 0, unlogged: [], next_cursor: null };

/** Lists the posts of a page of a history that no log has, as after the loss of what Postgres committed last. */
export const listUnloggedPosts = (needs: Needs) =>
  handle(contracts.listUnloggedPosts, async ({ input, context }) => {
    const { workspace_id, channel, thread_ts, since, cursor } = input;
    const access = await accessTo(needs, workspace_id);
    if (!access) return { ...unread, unreadable: 'chat_not_connected', retry_after: null };
    const { chat, clock, log } = needs;
    const deadline = Deadline.forCaller(clock, context.deadline);
    const asked = {
      channel,
      threadTs: thread_ts,
      since: new Date(since),
      botUserId: access.botUserId,
      cursor,
    };
    const page = await readPosts(asked, { chat, access, deadline, log });
    if (page.kind === 'unreadable') return { ...unread, unreadable: page.reason, retry_after: null };
    if (page.kind === 'later') return { ...unread, unreadable: null, retry_after: Math.ceil(page.seconds) };
    const { posts, next = null } = page;
    const lacking = await unloggedOf(
      needs.database,
      posts.map(({ messageId }) => messageId),
    );
    return {
      posts: posts.length,
      unlogged: posts
        .filter(({ messageId }) => lacking.has(messageId))
        .map(({ messageId, ts }) => ({
          message_id: messageId,
          message_ts: ts,
          posted_at: new Date(Number(ts) * 1_000).toISOString(),
        })),
      next_cursor: next,
      unreadable: null,
      retry_after: null,
    };
  });
