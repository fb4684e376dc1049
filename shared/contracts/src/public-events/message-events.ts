import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { namedDestination } from '../resources/message.ts';
import { id } from '../resources/values.ts';
import { publicEvent } from './declare.ts';

/** What each event about a message says. */
const ofMessage = {
  message_id: id,
  template_id: id.optional().describe('present, except for a test of blocks without a template'),
  version_id: id.optional().describe('present, except for a test of blocks'),
  version_number: z.int().optional().describe('present, except for a test of blocks'),
  test: z.boolean().optional().describe('true for a test send; absent otherwise'),
  origin: z.enum(['send', 'bulk', 'batch', 'schedule']).describe('the source of the message'),
  origin_id: id.optional().describe('the batch or the scheduled message'),
  destination: namedDestination.describe('the target as named by the sender'),
  channel: z.string().optional().describe('the conversation posted to'),
  thread_ts: z.string().optional(),
  request_id: z.string(),
};

const withError = z
  .object({
    ...ofMessage,
    error: errorCodeSchema,
    error_message: z.string().optional(),
    error_details: z.string().optional(),
  })
  .meta({ id: 'MessageErrorEventData' });

const example = {
  message_id: '01938c2e-7b1a-7c3d-9e4f-0000d2c1b0a1',
  template_id: '01938c2e-7b1a-7c3d-9e4f-0000aa11bb22',
  version_id: '01938c2e-7b1a-7c3d-9e4f-0000cc33dd44',
  version_number: 3,
  origin: 'send',
  destination: { channel_id: 'C0DEPLOYS' },
  channel: 'C0DEPLOYS',
  request_id: 'deploy-4711',
} as const;

/** A message was posted. */
export const messageSent = publicEvent({
  type: 'message.sent',
  origin: 'delivery',
  when: 'The chat platform has accepted a message, or a lookup has found one whose outcome was unknown.',
  subject: 'message_id',
  data: z.object({
    ...ofMessage,
    channel: z.string().describe('the conversation posted to'),
    message_ts: z.string(),
    was_unknown: z.boolean().describe('its outcome was unknown before, and a lookup has found it'),
    credit_log_id: id.optional().describe('the charge; a message that was found later is not charged'),
  }),
  example: {
    ...example,
    message_ts: '1795249800.000100',
    was_unknown: false,
    credit_log_id: '01938c2e-7b1a-7c3d-9e4f-0000ee55ff66',
  },
});

/** Nothing was posted. */
export const messageFailed = publicEvent({
  type: 'message.failed',
  origin: 'delivery',
  when: 'An accepted message has failed: nothing was posted, and nothing is charged.',
  subject: 'message_id',
  data: withError,
  example: { ...example, error: 'chat_api_error', error_message: 'The chat platform refused the message.' },
});

/** The outcome of a message is unknown. */
export const messageUnknown = publicEvent({
  type: 'message.unknown',
  origin: 'delivery',
  when: 'The response to a post was lost: the message may have been posted, and Stanza looks it up. `message.sent` follows if it is found.',
  subject: 'message_id',
  data: withError,
  example: { ...example, error: 'delivery_outcome_unknown' },
});

/** What each event about a change of a sent message says. */
const ofChange = {
  ...ofMessage,
  channel: z.string().describe('the conversation of the message'),
  message_ts: z.string(),
  revision: z.int().describe('1 is the post'),
  request_id: z.string().describe('of the request that changed it'),
  was_unknown: z.boolean().describe('its outcome was unknown before, and a lookup has found it'),
};

const changeExample = {
  ...example,
  message_ts: '1795249800.000100',
  revision: 2,
  was_unknown: false,
} as const;

/** A message shows other content. */
export const messageUpdated = publicEvent({
  type: 'message.updated',
  origin: 'delivery',
  when: 'The chat platform has replaced the content of a sent message. An update with identical content creates no event.',
  subject: 'message_id',
  data: z.object({
    ...ofChange,
    credit_log_id: id
      .optional()
      .describe('the charge; a click, and an update that was found later, cost nothing'),
  }),
  example: { ...changeExample, credit_log_id: '01938c2e-7b1a-7c3d-9e4f-0000ee55ff66' },
});

/** A message is no longer in its channel. */
export const messageDeleted = publicEvent({
  type: 'message.deleted',
  origin: 'delivery',
  when: 'A request has deleted a sent message from its channel.',
  subject: 'message_id',
  data: z.object(ofChange),
  example: { ...changeExample, revision: 3 },
});
