import { recording } from '../../events/store/recording.ts';
import { noId } from '../message.ts';

const columns = [
  ...[
    'organization_id',
    'environment',
    'id',
    'template_id',
    'version_id',
    'version_number',
    'origin',
    'origin_id',
  ],
  ...['channel_id', 'recipient_email', 'recipient_chat_id', 'channel', 'thread_ts', 'message_ts', 'status'],
  ...['error', 'error_facts', 'charged', 'credit_log_id', 'request_id', 'test'],
  ...['revises', 'change', 'revision', 'posting_at', 'content_digest'],
];

/** The columns of ended messages that their events need, for the `returning` of an update of `message`. */
export const endedColumns = columns.map((name) => `message.${name}`).join(', ');

/** The message that an ended row is about: itself, or the one that it changes. */
export const subjectOfEnded = 'coalesce(ended.revises, ended.id)';

const data = (wasUnknown: boolean): string => `json_strip_nulls(json_build_object(
         'message_id', ${subjectOfEnded}, 'template_id', nullif(ended.template_id, '${noId}'),
         'version_id', nullif(ended.version_id, '${noId}'),
         'version_number', case when ended.version_id <> '${noId}' then ended.version_number end,
         'test', case when ended.test then true end, 'origin', ended.origin, 'origin_id', ended.origin_id,
         'destination', json_build_object('channel_id', ended.channel_id, 'recipient_email', ended.recipient_email,
           'recipient_chat_id', ended.recipient_chat_id),
         'channel', ended.channel, 'thread_ts', ended.thread_ts, 'request_id', ended.request_id,
         'revision', case when ended.revises is not null then ended.revision end,
         'message_ts', ended.message_ts, 'was_unknown', case when ended.status = 'sent' then ${wasUnknown} end,
         'credit_log_id', case when ended.charged then ended.credit_log_id end,
         'error', ended.error, 'error_message', ended.error_facts ->> 'message',
         'error_details', ended.error_facts ->> 'error_details'))`;

const type = `'message.' || case
         when ended.revises is null then ended.status
         when ended.change = 'delete' then 'deleted'
         else 'updated' end`;

/**
 * SQL of the parts of a statement that record the outcomes of messages as events, in the statement that decides them.
 * `ended` are the messages that it has ended, with {@link endedColumns}. The event of a message is that of
 * `recorded.subject`. Of changes those are recorded
 * that the platform has taken: a message whose change failed is what it was.
 * @param wasUnknown whether their outcome was unknown before
 */
export const recordingOutcomes = (wasUnknown = false): string =>
  recording(`
       select ended.organization_id, ended.environment, null::uuid as id, ${type} as type,
         ${subjectOfEnded} as subject, ${data(wasUnknown)} as data, null::timestamptz as created_at
       from ended
       where ended.revises is null or (ended.status = 'sent' and ended.posting_at is not null)`);
