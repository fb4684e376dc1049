import { z } from 'zod';
import { chargeErrors, liveVersionErrors } from '../error-lists.ts';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import {
  destinationForm,
  isOneDestination,
  message,
  messageStatuses,
  oneDestination,
  truncation,
} from '../resources/message.ts';
import { credits, id, listOf, pageQuery } from '../resources/values.ts';
import { compileOptions } from './compile.ts';

/** What a send takes: a template, what it is compiled with, and where the message goes. */
export const sendFields = {
  ...compileOptions,
  ...destinationForm,
  thread_ts: z
    .string()
    .regex(/^\d{1,12}\.\d{1,9}$/, 'must be the message_ts of a message')
    .optional()
    .describe('message_ts of the message to reply to'),
};

/** Posts one message. */
export const sendTemplate = httpOperation({
  id: 'send-template',
  service: 'delivery',
  summary: 'Compile the live version of a template and post it',
  description:
    'Goes to exactly one of channel_id, recipient_email and recipient_chat_id. Costs one credit, charged when the platform accepted the message. When the answer of the platform was lost: 502 delivery_outcome_unknown, never a second post.',
  method: 'POST',
  path: '/templates/send',
  access: 'messages:create',
  idempotent: true,
  lostAnswer: 'delivery_outcome_unknown',
  lostMessage:
    'The answer was lost, so it is not known here whether the message was posted. GET /v1/messages tells what became of it; a message that was sent is charged.',
  deadlineMs: 15_000,
  body: z.strictObject(sendFields).superRefine(isOneDestination).meta(oneDestination),
  reply: z.object({
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
  }),
  errors: [
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
  ],
  example: {
    template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
    data: { service: 'api', version: '1.4.2' },
    channel_id: 'C0DEPLOYS',
  },
});

/** Lists the message log. */
export const listMessages = httpOperation({
  id: 'list-messages',
  service: 'delivery',
  summary: 'List messages and what came of them, newest first',
  method: 'GET',
  path: '/messages',
  access: 'usage:read',
  query: pageQuery.extend({
    status: z.enum(messageStatuses).optional(),
    template_id: id.optional(),
    credit_log_id: id.optional(),
    idempotency_key: z
      .string()
      .min(1)
      .max(limits.idempotencyKey)
      .optional()
      .describe('the `Idempotency-Key` with which the messages were asked for'),
  }),
  reply: listOf(message),
});

/** Reads one row of the message log. */
export const getMessage = httpOperation({
  id: 'get-message',
  service: 'delivery',
  summary: 'Read a message and its attempts',
  method: 'GET',
  path: '/messages/{id}',
  access: 'usage:read',
  params: z.strictObject({ id }),
  reply: message,
  errors: ['not_found'],
});
