import { CodedError } from '@stanza/contracts';
import type { Tenant } from '@stanza/runtime';
import type { Keyring } from '../domain/encryption-keys.ts';
import type { ConnectionRow } from '../domain/rows.ts';
import { openToken, type SealedToken, sealToken, UnreadableToken } from '../domain/sealed-token.ts';

/** What is needed to speak in a workspace. */
export interface ChatAccess {
  connectionId: string;
  workspaceId: string;
  token: string;
}

/** What a stored token is bound to: copied to another tenant or row, it cannot be read. */
const bindingOf = (tenant: Tenant, connectionId: string): string =>
  `chat-connection ${tenant.organizationId} ${tenant.environment} ${connectionId}`;

/** Encrypts the token of a connection for its row. */
export const sealAccess = (tenant: Tenant, id: string, token: string, keyring: Keyring): SealedToken =>
  sealToken(token, bindingOf(tenant, id), keyring);

/**
 * Reads the token of a connection.
 * @throws CodedError `chat_not_connected` when there is no connection, `chat_token_decrypt_failed` when its token cannot
 * be read
 */
export const openAccess = (tenant: Tenant, row: ConnectionRow | undefined, keyring: Keyring): ChatAccess => {
  if (!row) throw new CodedError('chat_not_connected');
  const sealed = { ciphertext: row.token_ciphertext, keyId: row.token_key_id };
  try {
    const token = openToken(sealed, bindingOf(tenant, row.id), keyring);
    return { connectionId: row.id, workspaceId: row.workspace_id, token };
  } catch (cause) {
    if (!(cause instanceof UnreadableToken)) throw cause;
    throw new CodedError('chat_token_decrypt_failed', {}, { cause });
  }
};
