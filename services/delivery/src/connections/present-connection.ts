import type { ChatConnection } from '@stanza/contracts';
import type { Keyring, Tenant } from '@stanza/runtime';
import type { GuardedChat } from '../chat/guarded.ts';
import { readToken } from './chat-access.ts';
import type { ConnectionRow } from './connection-tables.ts';

const stateOf = (tenant: Tenant, row: ConnectionRow, keyring: Keyring): ChatConnection['state'] => {
  if (readToken(tenant, row, keyring) === undefined) return 'unreadable';
  return row.revoked_at === null ? 'active' : 'revoked';
};

/** The connection as the API shows it: its state, without its token. */
export const presentConnection = (
  tenant: Tenant,
  row: ConnectionRow,
  keyring: Keyring,
  chat: Pick<GuardedChat, 'breakers'>,
): ChatConnection => ({
  id: row.id,
  state: stateOf(tenant, row, keyring),
  source: row.source,
  workspace_id: row.workspace_id,
  workspace_name: row.workspace_name,
  bot_user_id: row.bot_user_id,
  scopes: row.scopes,
  refusal: row.refusal,
  breakers: chat.breakers(row.workspace_id),
  last_checked_at: row.last_checked_at.toISOString(),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
