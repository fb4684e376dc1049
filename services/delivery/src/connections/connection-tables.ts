import type { Actor, ChatConnection } from '@stanza/contracts';
import {
  bytes,
  check,
  json,
  now,
  nullable,
  ofTenant,
  type RowOf,
  table,
  tenant,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';

/** The chat workspace of an environment. */
export const chatConnections = table('chat_connections', {
  columns: {
    ...tenant,
    /** A replaced connection gets a new id: the token's ciphertext is bound to it. */
    id: uuid(),
    workspace_id: text(),
    workspace_name: text(),
    /** Where browsers reach it, with a slash at its end; null until the platform said so. */
    workspace_url: nullable(text()),
    bot_user_id: text(),
    source: withDefault(text<ChatConnection['source']>(), 'token'),
    token_ciphertext: bytes(),
    token_key_id: text(),
    /** The scopes of the token, as reported by the platform; null when it did not. */
    scopes: nullable(json<string[]>()),
    /** When the platform last reported on the token. */
    last_checked_at: withDefault(timestamp(), now),
    /** When the platform was first seen to refuse the token; null while it accepts it. */
    revoked_at: nullable(timestamp()),
    /** The platform's error for that refusal. */
    refusal: nullable(text()),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  primaryKey: { name: 'chat_connections_pk', columns: ofTenant() },
  checks: [
    check('chat_connections_environment', "environment in ('production', 'preview')"),
    check('chat_connections_source', "source in ('token', 'install')"),
    check('chat_connections_revoked', '(revoked_at is null) = (refusal is null)'),
  ],
  indices: [
    { name: 'chat_connections_workspace', columns: ['workspace_id'] },
    { name: 'chat_connections_key', columns: ['token_key_id'] },
  ],
});

/** A row of {@link chatConnections}. */
export type ConnectionRow = RowOf<typeof chatConnections>;

/** An installation through the chat platform, from its start until it is deleted. */
export const chatInstalls = table('chat_installs', {
  columns: {
    ...tenant,
    id: uuid(),
    /** Its initiator, to whom the connection is attributed. */
    actor: json<Actor>(),
    /** SHA-256 of the state with which the browser returns. */
    state_hash: bytes(),
    /**
     * begun: the browser is at the platform. spent: it has returned, which is possible once. waiting: the token is
     * stored, and the page asks whether to connect. connected: the button was pressed.
     */
    status: withDefault(text<'begun' | 'spent' | 'waiting' | 'connected'>(), 'begun'),
    /** SHA-256 of the token of the page. */
    confirm_hash: nullable(bytes()),
    workspace_id: nullable(text()),
    workspace_name: nullable(text()),
    bot_user_id: nullable(text()),
    scopes: nullable(json<string[]>()),
    /** Encrypted for this row; deleted once it is connected. */
    token_ciphertext: nullable(bytes()),
    token_key_id: nullable(text()),
    created_at: timestamp(),
    /** When it expires. */
    expires_at: timestamp(),
  },
  primaryKey: { name: 'chat_installs_pk', columns: ofTenant('id') },
  checks: [
    check('chat_installs_environment', "environment in ('production', 'preview')"),
    check('chat_installs_status', "status in ('begun', 'spent', 'waiting', 'connected')"),
    check('chat_installs_page', "(confirm_hash is null) = (status in ('begun', 'spent'))"),
    check('chat_installs_token', "(token_ciphertext is null) = (status <> 'waiting')"),
  ],
  uniques: [
    { name: 'chat_installs_state', columns: ['state_hash'] },
    { name: 'chat_installs_confirm', columns: ['confirm_hash'] },
  ],
  indices: [{ name: 'chat_installs_expires_at', columns: ['expires_at'] }],
});

/** A row of {@link chatInstalls}. */
export type ChatInstallRow = RowOf<typeof chatInstalls>;
