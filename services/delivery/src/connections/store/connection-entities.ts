import { bytes, check, json, key, nullable, tenantKey, text, timestamp, uuid } from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';
import type { ChatInstallRow, ConnectionRow } from '../../store/rows.ts';

/** See {@link ConnectionRow}. */
export const connectionEntity = new EntitySchema<ConnectionRow>({
  name: 'chat_connections',
  columns: {
    ...tenantKey('chat_connections_pk'),
    id: uuid,
    workspace_id: text,
    workspace_name: text,
    bot_user_id: text,
    source: { ...text, default: 'token' },
    token_ciphertext: bytes,
    token_key_id: text,
    scopes: { ...json, ...nullable },
    last_checked_at: { ...timestamp, default: () => 'now()' },
    revoked_at: { ...timestamp, ...nullable },
    refusal: { ...text, ...nullable },
    created_at: timestamp,
    updated_at: timestamp,
  },
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

/** See {@link ChatInstallRow}. */
export const chatInstallEntity = new EntitySchema<ChatInstallRow>({
  name: 'chat_installs',
  columns: {
    ...tenantKey('chat_installs_pk'),
    id: key(uuid, 'chat_installs_pk'),
    actor: json,
    state_hash: bytes,
    status: { ...text, default: 'begun' },
    confirm_hash: { type: 'bytea', ...nullable },
    workspace_id: { ...text, ...nullable },
    workspace_name: { ...text, ...nullable },
    bot_user_id: { ...text, ...nullable },
    scopes: { ...json, ...nullable },
    token_ciphertext: { type: 'bytea', ...nullable },
    token_key_id: { ...text, ...nullable },
    created_at: timestamp,
    expires_at: timestamp,
  },
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
