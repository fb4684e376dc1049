import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { block, freeObject, id, timestamp } from './values.ts';

/** What truncation did to a compiled message. */
export const truncation = z.object({ fields_truncated: z.int().min(0) }).meta({ id: 'ChatTruncation' });

/** The parts of a compiled message that the platform takes. */
export const compiledMessage = z.object({
  blocks: z.array(block),
  text: z.string().describe('fallback for notifications'),
  metadata: freeObject.optional().describe('actions of interactive messages and the context they need'),
});

/** One problem of a template or its data. */
export const problem = z
  .object({
    pointer: z
      .string()
      .describe(
        'JSON pointer into {blocks, fallback_text}, wherever the template came from: /blocks/0/text, /blocks for all of them, or /fallback_text',
      ),
    rule: z.string(),
    message: z.string(),
    limit: z.string().optional().describe('name of the limit that is exceeded'),
    max: z.number().optional(),
    actual: z.number().optional(),
    hint: z.string().optional().describe('a likely remedy'),
  })
  .meta({ id: 'Problem' });

/** See {@link problem}. */
export type Problem = z.output<typeof problem>;

/** States of a message: accepted, then posting, then one of the three outcomes; a sent one may be deleted later. */
export const messageStatuses = ['accepted', 'posting', 'sent', 'failed', 'unknown', 'deleted'] as const;

/** What a revision is: the post, an update by a request or by a click, or the deletion. */
export const revisionKinds = ['post', 'update', 'interaction', 'delete'] as const;

/** What asks for messages: a send, a bulk send, a queue or a schedule. */
export const messageOrigins = ['send', 'bulk', 'batch', 'schedule'] as const;

/** A person at the chat platform, by e-mail address. */
export const recipientEmail = z.email().max(320).meta({ id: 'EmailAddress' });

/** The three ways to name where a message goes; null says the same as a form that is left out. */
export const destinationForm = {
  channel_id: z.string().min(1).max(255).nullable().optional().describe('a channel'),
  recipient_email: recipientEmail.nullable().optional().describe('a person, by e-mail address'),
  recipient_chat_id: z.string().min(1).max(255).nullable().optional().describe('a person, by chat id'),
};

const destinationForms = ['channel_id', 'recipient_email', 'recipient_chat_id'] as const;

type DestinationForms = Partial<Record<(typeof destinationForms)[number], unknown>>;

/** Accepts a message's destination when exactly one of its forms is given. */
export const isOneDestination = (
  given: DestinationForms,
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void => {
  const named = destinationForms.filter((form) => given[form] !== undefined && given[form] !== null);
  if (named.length === 1) return;
  context.addIssue({
    code: 'custom',
    path: [named[1] ?? 'channel_id'],
    message: `give exactly one of ${destinationForms.join(', ')}; ${named.length} were given`,
  });
};

/** The same for the schema that is published. */
export const oneDestination = {
  oneOf: destinationForms.map((form) => ({ required: [form], properties: { [form]: { type: 'string' } } })),
};

/** Where a message went, as its caller named it. */
export const namedDestination = z
  .object({
    channel_id: z.string().optional(),
    recipient_email: z.string().optional(),
    recipient_chat_id: z.string().optional(),
  })
  .meta({ id: 'NamedDestination' });

/** One call to the platform on behalf of a message. */
export const messageAttempt = z
  .object({
    method: z.string(),
    outcome: z.string().describe('`ok`, an error name of the platform, or how the call broke'),
    http_status: z.int().optional(),
    latency_ms: z.int(),
    started_at: timestamp,
  })
  .meta({ id: 'MessageAttempt' });

/** A row of the message log. */
export const message = z
  .object({
    id,
    template_id: id.nullable().describe('null for a test of blocks that belong to no template'),
    version_id: id.nullable().describe('null for a test of blocks, and so is the number'),
    version_number: z.int().nullable(),
    status: z.enum(messageStatuses),
    origin: z.enum(messageOrigins).describe('what asked for it'),
    test: z.boolean().describe('it was sent to try a version or blocks'),
    destination: namedDestination,
    channel: z.string().optional().describe('the conversation posted to'),
    message_ts: z.string().optional(),
    thread_ts: z.string().optional(),
    error: errorCodeSchema.optional(),
    error_details: z.string().optional(),
    credit_log_id: id.optional().describe('the charge; only of sent messages'),
    request_id: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    attempts: z.array(messageAttempt),
    visible_to: z.string().optional().describe('the one person of the channel who sees it'),
    message_key: z.string().optional().describe("the sender's own name for it"),
    revision: z
      .int()
      .min(1)
      .describe('what the channel shows: 1 is the post, and each change has a higher one'),
  })
  .meta({ id: 'Message' });

/** See {@link message}. */
export type Message = z.output<typeof message>;

/** One state of a message in its channel, or an attempt at one. */
export const messageRevision = z
  .object({
    revision: z.int().min(1).describe('1 is the post; a change that failed keeps its number'),
    kind: z.enum(revisionKinds),
    version_id: id.nullable().describe('of the template; null for blocks, and for a deletion'),
    version_number: z.int().nullable(),
    at: timestamp.describe('when the call to the platform began; without one, when it ended'),
    status: z
      .enum(['accepted', 'posting', 'sent', 'failed', 'unknown'])
      .describe('`sent`: the channel has shown it'),
    error: errorCodeSchema.optional().describe('why it failed'),
    credit_log_id: id.optional().describe('the charge, where there is one'),
    request_id: z.string(),
    actor: z.string().describe('the key, user or schedule that asked for it'),
  })
  .meta({ id: 'MessageRevision' });

/** See {@link messageRevision}. */
export type MessageRevision = z.output<typeof messageRevision>;

/** A message with its revisions. */
export const messageDetails = message
  .extend({
    revisions: z.array(messageRevision).describe('oldest first; of more than a hundred the latest hundred'),
    permalink: z
      .string()
      .optional()
      .describe('opens it in the chat platform; while its workspace is connected and shows it'),
  })
  .meta({ id: 'MessageDetails' });

/** See {@link messageDetails}. */
export type MessageDetails = z.output<typeof messageDetails>;
