import { CodedError } from '@stanza/contracts';
import {
  type Database,
  decryptToken,
  type EncryptedToken,
  encryptToken,
  type Keyring,
  type Tenant,
  UnreadableToken,
  upTo,
} from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import type { ChatAccess } from '../chat/platform.ts';
import type { ChatInstallRow, ConnectionRow } from './connection-tables.ts';
import { findConnection } from './store/connections.ts';

/** The context that a stored token is bound to: copied to another tenant, table or row, it cannot be decrypted. */
const bindingOf = (
  kind: 'chat-connection' | 'chat-install',
  { organizationId, environment }: Tenant,
  id: string,
): string => `${kind} ${organizationId} ${environment} ${id}`;

/** The context of a connection's token. */
export const accessBinding = (tenant: Tenant, id: string): string => bindingOf('chat-connection', tenant, id);

/** Encrypts the token of a connection for its row. */
export const encryptAccess = (tenant: Tenant, id: string, token: string, keyring: Keyring): EncryptedToken =>
  encryptToken(token, accessBinding(tenant, id), keyring);

/** Encrypts the token of an installation for its row. */
export const encryptInstall = (tenant: Tenant, id: string, token: string, keyring: Keyring): EncryptedToken =>
  encryptToken(token, bindingOf('chat-install', tenant, id), keyring);

/** The coded error for a token that cannot be decrypted. */
const readable = <T>(read: () => T): T => {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof UnreadableToken)) throw cause;
    throw new CodedError('chat_token_decrypt_failed', {}, { cause });
  }
};

/**
 * Decrypts the token of an installation that waits for its button.
 * @throws CodedError `chat_token_decrypt_failed` when it cannot be decrypted
 */
export const decryptInstall = (tenant: Tenant, row: ChatInstallRow, keyring: Keyring): string =>
  readable(() => {
    if (row.token_ciphertext === null || row.token_key_id === null) {
      throw new UnreadableToken('the installation holds no token');
    }
    const encrypted = { ciphertext: row.token_ciphertext, keyId: row.token_key_id };
    return decryptToken(encrypted, bindingOf('chat-install', tenant, row.id), keyring);
  });

/** Decrypts the token of a connection; undefined when that is impossible. */
export const readToken = (tenant: Tenant, row: ConnectionRow, keyring: Keyring): string | undefined => {
  try {
    return openRow(tenant, row, keyring);
  } catch (err) {
    if (err instanceof UnreadableToken) return undefined;
    throw err;
  }
};

const openRow = (tenant: Tenant, row: ConnectionRow, keyring: Keyring): string => {
  const encrypted = { ciphertext: row.token_ciphertext, keyId: row.token_key_id };
  return decryptToken(encrypted, accessBinding(tenant, row.id), keyring);
};

/**
 * Reads the access of a connection, even if the platform has refused its token.
 * @throws CodedError `chat_not_connected` without a connection, `chat_token_decrypt_failed` when its token cannot be
 * decrypted
 */
export const decryptAccess = (
  tenant: Tenant,
  row: ConnectionRow | undefined,
  keyring: Keyring,
): ChatAccess => {
  if (!row) throw new CodedError('chat_not_connected');
  const token = readable(() => openRow(tenant, row, keyring));
  return { connectionId: row.id, workspaceId: row.workspace_id, token };
};

/**
 * Reads the access of an active connection.
 * @throws CodedError as {@link decryptAccess}, and `chat_not_connected` when the platform has refused the token
 */
export const openAccess = (tenant: Tenant, row: ConnectionRow | undefined, keyring: Keyring): ChatAccess => {
  if (row && row.revoked_at !== null) {
    throw new CodedError('chat_not_connected', { error_details: JSON.stringify(row.refusal) });
  }
  return decryptAccess(tenant, row, keyring);
};

/** Connections in the cache of a process; their tokens stay encrypted. */
const kept = 5_000;
/** Milliseconds. */
const ttlMs = 60_000;

const keyOf = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;

/**
 * A cache of chat connections. Only for callers that verify the connection before a post, as the statement that begins a
 * message does, and that ask the workspace nothing before.
 */
export class KnownConnections {
  readonly #database: Database;
  readonly #known = new LRUCache<string, ConnectionRow>({ ...upTo(kept), ttl: ttlMs });

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the connection of an environment from the cache, else from the database. Only working ones are cached. */
  async find(tenant: Tenant): Promise<ConnectionRow | undefined> {
    return this.#known.get(keyOf(tenant)) ?? this.read(tenant);
  }

  /** Drops the connection of an environment from the cache, since it has changed. */
  forget(tenant: Tenant): void {
    this.#known.delete(keyOf(tenant));
  }

  /** Reads the connection of an environment from the database. */
  async read(tenant: Tenant): Promise<ConnectionRow | undefined> {
    const row = await findConnection(tenant, this.#database);
    if (row && row.revoked_at === null) this.#known.set(keyOf(tenant), row);
    else this.#known.delete(keyOf(tenant));
    return row;
  }
}
