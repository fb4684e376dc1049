import type { Message, MessageRevision } from '@stanza/contracts';
import { namedDestinationOf } from '../chat/recipients.ts';
import { noId } from './message.ts';
import type { MessageRow } from './message-tables.ts';

const given = <K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> => {
  const field: Partial<Record<K, V>> = {};
  if (value !== null && value !== undefined) field[key] = value;
  return field;
};

/** A message as the API shows it. Fields without a value are omitted; a charge is shown only for a charged message. */
export const presentMessage = (row: MessageRow): Message => ({
  id: row.id,
  template_id: row.template_id === noId ? null : row.template_id,
  ...(row.version_id === noId
    ? { version_id: null, version_number: null }
    : { version_id: row.version_id, version_number: row.version_number }),
  status: row.status,
  origin: row.origin,
  test: row.test,
  destination: namedDestinationOf(row),
  ...given('channel', row.channel),
  ...given('message_ts', row.message_ts),
  ...given('thread_ts', row.thread_ts),
  ...given('visible_to', row.visible_to),
  ...given('message_key', row.message_key),
  ...given('error', row.error),
  ...given('error_details', row.error_facts?.error_details),
  ...given('credit_log_id', row.charged ? row.credit_log_id : null),
  request_id: row.request_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  attempts: row.attempts,
  revision: row.revision,
});

const statusOf = ({ status }: MessageRow): MessageRevision['status'] =>
  status === 'deleted' ? 'sent' : status;

const versionOf = (row: MessageRow): Pick<MessageRevision, 'version_id' | 'version_number'> => {
  const version_id = row.posted_version_id ?? row.version_id;
  if (version_id === noId || row.change === 'delete') return { version_id: null, version_number: null };
  return { version_id, version_number: row.posted_version_number ?? row.version_number };
};

/** A revision as the API shows it: a message's own row is that of its post. */
export const presentRevision = (row: MessageRow): MessageRevision => ({
  revision: row.revises === null ? 1 : row.revision,
  kind: row.change ?? 'post',
  ...versionOf(row),
  at: (row.posting_at ?? row.updated_at).toISOString(),
  status: statusOf(row),
  ...given('error', row.error),
  ...given('credit_log_id', row.charged ? row.credit_log_id : null),
  request_id: row.request_id,
  actor: row.actor_id,
});
