import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { chargeErrors, liveVersionErrors } from '../error-lists.ts';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { messageLocale } from '../resources/locale.ts';
import {
  destinationForm,
  isOneDestination,
  namedDestination,
  oneDestination,
  truncation,
} from '../resources/message.ts';
import {
  areMessageOptions,
  areRepliesShown,
  messageOptions,
  postOptions,
} from '../resources/send-options.ts';
import { isOneTemplate, oneTemplate } from '../resources/template-reference.ts';
import { credits, id } from '../resources/values.ts';
import { compileOptions } from './compile.ts';

/** The outcome for one destination. */
const bulkResult = z
  .object({
    destination: namedDestination.describe('as it was given'),
    message_id: id.describe('its row in the message log, whatever became of it'),
    channel: z.string().optional().describe('the conversation posted to; only of a sent message'),
    success: z.boolean(),
    message_ts: z.string().optional().describe('only of a sent message'),
    error: errorCodeSchema
      .optional()
      .describe('why it was not sent; delivery_outcome_unknown where that is unknown'),
    error_message: z.string().optional().describe('the same for people; only with error'),
    retryable: z
      .boolean()
      .optional()
      .describe(
        'only with error: true where nothing was posted and a new request for this destination may succeed as it is',
      ),
    credit_log_id: id.optional().describe('the charge; only of a sent message'),
    revision: z
      .int()
      .min(1)
      .optional()
      .describe('with a `message_key`: what the channel shows of the message'),
    changed: z
      .boolean()
      .optional()
      .describe('with a `message_key`: false where it has a message that stays as it is'),
  })
  .meta({ id: 'BulkResult' });

/** See {@link bulkResult}. */
export type BulkResult = z.output<typeof bulkResult>;

/** Posts one template to many destinations. */
export const sendBulk = httpOperation({
  id: 'send-bulk',
  service: 'delivery',
  unrated: true,
  posts: true,
  weighedBy: 'destinations',
  summary: 'Compile the live version of a template once and post it to up to 100 destinations',
  description:
    'Each destination is a message of its own, also one that is named twice, and is posted at most once. Credits for all of them are reserved first; with too few, none is posted. After that the answer is 200 with the outcome of each message; those that the platform accepted are charged. A message that cannot be started in time is rate_limited and costs nothing.',
  method: 'POST',
  path: '/templates/send-bulk',
  access: 'messages:create',
  idempotent: true,
  lostAnswer: 'delivery_outcome_unknown',
  lostMessage:
    'The answer was lost, so it is not known here which of the messages were posted. GET /v1/messages shows their outcomes; `credit_log_id` there says which were charged.',
  deadlineMs: 20_000,
  body: z
    .strictObject({
      ...compileOptions,
      locale: messageLocale.optional(),
      destinations: z
        .array(
          z
            .strictObject({ ...destinationForm, ...messageOptions })
            .superRefine(isOneDestination)
            .superRefine(areMessageOptions)
            .meta(oneDestination),
        )
        .min(1)
        .max(limits.bulkDestinations),
      ...postOptions,
    })
    .superRefine(isOneTemplate)
    .superRefine(({ reply_broadcast, destinations }, context) =>
      areRepliesShown(reply_broadcast, destinations, context),
    )
    .meta(oneTemplate),
  reply: z.object({
    success: z.boolean().describe('true when every message was sent'),
    results: z.array(bulkResult).describe('one for each destination, in their order'),
    total_sent: z.int(),
    total_failed: z.int(),
    remaining_credits: credits,
    warnings: z.array(z.string()),
    chat_truncation: truncation,
    version_id: id,
    version_number: z.int(),
  }),
  errors: [
    ...liveVersionErrors,
    'no_blocks_to_send',
    ...chargeErrors,
    'chat_not_connected',
    'chat_token_decrypt_failed',
    'delivery_outcome_unknown',
  ],
  example: {
    template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
    data: { service: 'api', version: '1.4.2' },
    destinations: [{ channel_id: 'C0DEPLOYS' }, { recipient_email: 'ada@example.com' }],
  },
});
