import { z } from 'zod';
import { chargeErrors, liveVersionErrors } from '../error-lists.ts';
import { limits } from '../limits.ts';
import { logPlace } from '../log-place.ts';
import { httpOperation, streamHeartbeatSeconds } from '../operation.ts';
import { messageLocale } from '../resources/locale.ts';
import {
  destinationForm,
  isOneDestination,
  message,
  messageDetails,
  messageOrigins,
  messageStatuses,
  oneDestination,
  truncation,
} from '../resources/message.ts';
import { areMessageOptions, messageKey, messageOptions, postOptions } from '../resources/send-options.ts';
import { isOneTemplate, oneTemplate } from '../resources/template-reference.ts';
import {
  beginsOnce,
  credits,
  deleted,
  endsLast,
  freeObject,
  id,
  key,
  listOf,
  messageTs,
  momentQuery,
  pageQuery,
} from '../resources/values.ts';
import { compileOptions, renderOptions } from './compile.ts';

/** The input of a send: a template, the data to compile it with, and the recipient. */
export const sendFields = {
  ...compileOptions,
  locale: messageLocale.optional(),
  ...destinationForm,
  thread_ts: messageTs
    .optional()
    .describe('message_ts of the message to reply to, as text: a number would lose its zeros'),
  ...messageOptions,
  ...postOptions,
};

/** The answer of a send whose message the platform has accepted. */
export const sentMessage = z.object({
  success: z.literal(true),
  message_id: id,
  channel: z.string(),
  message_ts: z.string(),
  version_id: id,
  version_number: z.int(),
  warnings: z.array(z.string()),
  chat_truncation: truncation,
  credit_log_id: id,
  remaining_credits: credits,
});

/** The answer of a send that may have a key: of an update where the key had a message, or of no change at all. */
const keyedMessage = sentMessage.extend({
  credit_log_id: id.optional().describe('the charge; absent where nothing was posted or changed'),
  revision: z
    .int()
    .min(1)
    .optional()
    .describe('with a `message_key`: what the channel shows of the message, 1 for a post'),
  changed: z
    .boolean()
    .optional()
    .describe('with a `message_key`: false where it has a message that stays as it is'),
});

/** Error codes of every operation that posts one message. */
export const sendErrors = [
  ...liveVersionErrors,
  'no_blocks_to_send',
  ...chargeErrors,
  'invalid_destination',
  'chat_not_connected',
  'chat_user_not_found',
  'chat_dm_failed',
  'chat_token_decrypt_failed',
  'chat_api_error',
  'delivery_outcome_unknown',
  'rate_limited',
] as const;

/** Posts one message. */
export const sendTemplate = httpOperation({
  id: 'send-template',
  service: 'delivery',
  unrated: true,
  posts: true,
  summary: 'Compile the live version of a template and post it',
  description:
    'Goes to exactly one of channel_id, recipient_email and recipient_chat_id. With a `message_key` that has a message there, that one is updated (`on_existing`). Costs one credit, charged when the platform accepted the message. When the answer of the platform was lost: 502 delivery_outcome_unknown, never a second post.',
  method: 'POST',
  path: '/templates/send',
  access: 'messages:create',
  idempotent: true,
  lostAnswer: 'delivery_outcome_unknown',
  lostMessage:
    'The answer was lost, so it is unknown whether the message was posted. GET /v1/messages shows the outcome; `credit_log_id` there says that it was charged.',
  deadlineMs: 15_000,
  body: z
    .strictObject(sendFields)
    .superRefine(isOneTemplate)
    .superRefine(isOneDestination)
    .superRefine(areMessageOptions)
    .meta({ ...oneDestination, allOf: [oneTemplate] }),
  reply: keyedMessage,
  errors: sendErrors,
  example: {
    template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
    data: { service: 'api', version: '1.4.2' },
    channel_id: 'C0DEPLOYS',
  },
});

/** Messages that one search of the log examines at most. */
export const messagesLookedAt = 10_000;

/** Filters of the log that test one message by itself: for the list and for the stream of changes. */
const messageFilters = {
  status: z.enum(messageStatuses).optional(),
  template_id: id.optional(),
  template_key: key.optional().describe('the key of the template, in place of its id'),
  version_id: id.optional(),
  channel: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('the channel as the request named it, or the conversation posted to'),
  recipient: z
    .string()
    .min(1)
    .max(320)
    .optional()
    .describe('the person as the request named them, by e-mail address or chat id'),
  origin: z.enum(messageOrigins).optional().describe('what asked for the messages'),
  test: z.enum(['true', 'false']).optional().describe('true: test sends alone; false: all others'),
  idempotency_key: z
    .string()
    .min(1)
    .max(limits.idempotencyKey)
    .optional()
    .describe('the `Idempotency-Key` with which the messages were asked for'),
  message_key: messageKey.optional().describe('the `message_key` of the messages'),
};

const logQuery = pageQuery.extend({
  ...messageFilters,
  sort: z.enum(['created_at', '-created_at']).optional().describe('the default is the newest first'),
  from: momentQuery.optional().describe('messages made at or after this moment'),
  to: momentQuery.optional().describe('messages made before this moment'),
  cursor: id.optional().describe('`next_cursor` of the answer before: continues after it, whatever is new'),
  before: id.optional().describe('the old name of `cursor`'),
  request_id: z
    .string()
    .min(1)
    .max(limits.requestId)
    .optional()
    .describe('messages that this request asked for, by its `X-Request-Id`'),
  credit_log_id: id.optional(),
});

/** Lists the message log. */
export const listMessages = httpOperation({
  id: 'list-messages',
  service: 'delivery',
  summary: 'List messages and what came of them',
  description: `Filters are combined. Continue with \`cursor\`: new messages move nothing to another page. With \`template_key\`, \`version_id\`, \`channel\`, \`recipient\`, \`origin\`, \`test\`, \`request_id\`, \`from\`, \`to\`, \`cursor\` or the oldest first an answer looks at ${messagesLookedAt} messages at most and \`pagination.total\` counts the matches among them; \`next_cursor\` continues after the last one.`,
  method: 'GET',
  path: '/messages',
  access: 'usage:read',
  query: logQuery
    .superRefine(endsLast)
    .superRefine(({ cursor, before, offset }, context) =>
      beginsOnce({ cursor: cursor ?? before, offset }, context),
    ),
  reply: listOf(message).extend({
    // During an upgrade, a process of the previous version leaves it out.
    next_cursor: id.nullable().optional().describe('continues the list; null at the end'),
    next_before: id.nullable().describe('the old name of `next_cursor`'),
  }),
});

/** Messages that one read of the stream examines at most, and changes that it returns at most. */
export const streamedMessages = { lookedAt: 1_000, answered: limits.page } as const;

/** The reply of one read of the stream; the gateway writes it as events. */
const messageChanges = z.object({
  events: z
    .array(z.object({ id: logPlace, data: message }))
    .describe('changed messages, oldest change first'),
  position: logPlace.describe('where the next read continues'),
  has_more: z.boolean().describe('whether more changes exist already'),
});

/** Follows the message log. */
export const streamMessages = httpOperation({
  id: 'stream-messages',
  service: 'delivery',
  summary: 'Follow messages as they are made and as their status changes',
  description: `Server-sent events. Each event is a message as \`GET /v1/messages/{id}\` shows it, and its \`id\` names the change: a new message and every later change are events of their own, in the order of the changes; of changes that follow each other within a second the last alone may be shown. An event arrives one to three seconds after its change. Filters are combined, and look at the message as the change left it.

The stream begins with what changes from now on, and may show what changed in the second before; with \`Last-Event-ID\`, which browsers send by themselves, or with \`after\` it continues after that event: nothing is missed and nothing repeated, as long as the messages are kept. Events without data, every ${streamHeartbeatSeconds} seconds, show that the stream lives, and their \`id\` is where it stands. The event \`end\` says in \`reason\` why the stream ends: \`lifetime\` or \`shutdown\`, after which you open it again, or \`refused\` or \`failed\`, with \`code\` and \`docs\`. An organization has up to ${limits.streams} streams open at a gateway.`,
  method: 'GET',
  path: '/messages/stream',
  access: 'usage:read',
  answers: 'stream',
  query: z.strictObject({
    ...messageFilters,
    after: logPlace
      .optional()
      .describe('the id of an event: continues after it; `Last-Event-ID` goes before it'),
  }),
  reply: messageChanges,
  errors: ['too_many_streams'],
});

/** Reads one row of the message log. */
export const getMessage = httpOperation({
  id: 'get-message',
  service: 'delivery',
  summary: 'Read a message, its revisions and its attempts',
  method: 'GET',
  path: '/messages/{id}',
  access: 'usage:read',
  params: z.strictObject({ id }),
  reply: messageDetails,
  errors: ['not_found'],
});

/** Replaces a message in its channel. */
export const updateMessage = httpOperation({
  id: 'update-message',
  service: 'delivery',
  unrated: true,
  posts: true,
  summary: 'Compile a message again and replace it in its channel',
  description:
    'The message keeps its place, its thread and its id. Updates of one message take turns in the order of their arrival. Costs one credit, charged when the platform took it; content that is byte for byte what the channel shows is neither sent nor charged (`changed: false`). What was not sent, is unknown or deleted cannot be updated: 409 invalid_state. A lost answer is asked for again, which is safe, since the same content replaces itself; then it is 502 delivery_outcome_unknown.',
  method: 'POST',
  path: '/messages/{id}/update',
  access: 'messages:create',
  idempotent: true,
  lostAnswer: 'delivery_outcome_unknown',
  lostMessage:
    'The answer was lost, so it is unknown whether the message was updated. An update again is safe.',
  deadlineMs: 15_000,
  params: z.strictObject({ id }),
  body: z
    .strictObject({
      data: freeObject.default({}).describe('values that the template reads; those of the post are not kept'),
      version: z
        .enum(['same', 'live'])
        .default('same')
        .describe('`same`: the version that the message shows; `live`: the one that is live now'),
      expected_revision: z
        .int()
        .min(1)
        .optional()
        .describe('the revision that you have read. If it is another: 409 message_changed'),
      ...renderOptions,
      locale: messageLocale.optional(),
    })
    .default({ data: {}, version: 'same' }),
  reply: sentMessage.extend({
    credit_log_id: id.optional().describe('the charge; absent where nothing changed'),
    revision: z.int().min(1).describe('what the channel shows now'),
    changed: z.boolean().describe('false where the channel showed the same content'),
  }),
  errors: [...sendErrors, 'not_found', 'message_changed'],
  example: { data: { service: 'api', version: '1.4.2', state: 'live' } },
});

/** Takes a message out of its channel. */
export const deleteMessage = httpOperation({
  id: 'delete-message',
  service: 'delivery',
  posts: true,
  summary: 'Take a message out of its channel',
  description:
    'It stays in the log as `deleted`, and what was kept of its content is forgotten at once. Costs nothing. Deleting again changes nothing. Repeat it where the answer was lost.',
  method: 'DELETE',
  path: '/messages/{id}',
  access: 'messages:create',
  deadlineMs: 15_000,
  params: z.strictObject({ id }),
  reply: deleted.extend({ changed: z.boolean().describe('false where it was deleted before') }),
  errors: [
    'not_found',
    'invalid_state',
    'invalid_destination',
    'chat_not_connected',
    'chat_token_decrypt_failed',
    'chat_api_error',
    'delivery_outcome_unknown',
    'rate_limited',
  ],
});
