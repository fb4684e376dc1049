import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { limits } from '../limits.ts';
import { description, id, key, name, smallRecord, timestamp } from './values.ts';

/** Replaces the value of a header in every answer. */
export const maskedValue = '********';

/** How a payload gets to a destination. */
export const destinationMethods = ['POST', 'PUT', 'PATCH'] as const;

/** What the headers of a destination carry. */
export const destinationAuthTypes = ['none', 'bearer', 'basic', 'custom'] as const;

/** How the delays between attempts grow. */
export const retryStrategies = ['fixed', 'linear', 'exponential'] as const;

/** Names of a host that resolve: labels without a hyphen at an end, and a dot behind the last. */
const hostName = /^(?:(?!-)[^.]+(?<!-)\.)*(?!-)[^.]+(?<!-)\.?$/;

/** What parses as an address may be a slip: a slash too few, a space, a backslash, which stands for a slash. */
const problemOfUrl = (text: string): string | undefined => {
  if (text.includes('{{')) return 'must be a fixed address: placeholders are not filled here';
  const url = URL.parse(text);
  if (!url || !/^https?:\/\/[^\s\\]+$/i.test(text))
    return 'must be an address that begins with https:// or http://, without spaces or backslashes';
  if (!hostName.test(url.hostname) || url.port === '0')
    return 'must name a host and port that can be reached';
  if (url.username !== '' || url.password !== '') {
    return 'must not hold a user name or password; put credentials into headers';
  }
  if (url.hash !== '') return 'must not have a fragment';
  return undefined;
};

const url = z
  .string()
  .min(1)
  .max(limits.destinationUrl)
  .superRefine((text, context) => {
    const message = problemOfUrl(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Headers that belong to the connection, to the body, to the signature, or that say who asks and by which way. */
const ownHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'traceparent',
  'tracestate',
  'upgrade',
  'via',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-real-ip',
  'x-request-id',
]);

const ownPrefixes = ['proxy-', 'x-forwarded-', 'x-stanza-'];

const problemOfName = (header: string): string | undefined => {
  const lower = header.toLowerCase();
  const isOurs = ownHeaders.has(lower) || ownPrefixes.some((prefix) => lower.startsWith(prefix));
  return isOurs ? 'is set by the service or by the connection, and cannot be given' : undefined;
};

const problemOfValue = (value: string): string | undefined =>
  value === maskedValue
    ? 'is the mask that answers show; give the value itself, or leave headers out'
    : undefined;

const headerName = z
  .string()
  .max(limits.headerName)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is no name of a header');

const headerText = z
  .string()
  .max(limits.headerValue)
  .regex(/^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/, 'must be printable ASCII in one line');

const headerInput = smallRecord(headerName, headerText, limits.headers, 'headers')
  .superRefine((headers, context) => {
    const seen = new Set<string>();
    for (const [header, value] of Object.entries(headers)) {
      const again = seen.has(header.toLowerCase()) ? 'is given twice, in different case' : undefined;
      const message = problemOfName(header) ?? again ?? problemOfValue(value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [header], message });
      seen.add(header.toLowerCase());
    }
  })
  .describe('write-only: answers show names alone');

const retryDelay = (least: number) => z.int().min(least).max(limits.retryDelayMs);

/** The fields of a destination as they are given. */
export const destinationFields = {
  name,
  description: description,
  url,
  method: z.enum(destinationMethods),
  headers: headerInput,
  auth_type: z
    .enum(destinationAuthTypes)
    .describe('bearer and basic need an Authorization header of that scheme among the headers'),
  is_active: z.boolean(),
  retry_enabled: z.boolean().describe('false: one attempt, and a lost answer leaves the outcome unknown'),
  max_retries: z.int().min(0).max(10),
  retry_strategy: z.enum(retryStrategies),
  retry_initial_delay_ms: retryDelay(100),
  retry_max_delay_ms: retryDelay(1_000),
  timeout_ms: z.int().min(1_000).max(60_000),
} as const;

/** An address outside that payloads are delivered to. */
export const destination = z
  .object({
    id,
    organization_id: id,
    key: key.describe('names it for programs'),
    name: z.string(),
    description: z.string().optional(),
    url: z.string(),
    method: z.enum(destinationMethods),
    headers: z
      .record(z.string(), z.literal(maskedValue))
      .describe('the names of the headers; values never leave')
      .meta({ examples: [{ Authorization: maskedValue }] }),
    auth_type: z.enum(destinationAuthTypes),
    is_active: z.boolean(),
    retry_enabled: z.boolean(),
    max_retries: z.int(),
    retry_strategy: z.enum(retryStrategies),
    retry_initial_delay_ms: z.int(),
    retry_max_delay_ms: z.int(),
    timeout_ms: z.int(),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    consecutive_failures: z.int().describe('attempts that failed since the last one that did not'),
    disabled_at: timestamp.optional().describe('when a long row of failures made it inactive'),
    breaker: z
      .enum(['closed', 'open', 'half_open'])
      .describe('open while its host is left alone because it failed too often'),
  })
  .meta({ id: 'Destination' });

/** See {@link destination}. */
export type Destination = z.output<typeof destination>;

/** States of a delivery. */
export const deliveryStatuses = ['waiting', 'delivered', 'failed', 'unknown'] as const;

/** The cause of a delivery. */
export const deliveryOrigins = ['batch', 'interaction', 'schedule', 'event', 'test'] as const;

/** How an attempt ended. */
export const attemptOutcomes = ['delivered', 'refused', 'not_sent', 'lost', 'begun'] as const;

/** One attempt at a delivery. */
export const deliveryAttempt = z
  .object({
    number: z.int(),
    started_at: timestamp,
    latency_ms: z.int().optional(),
    outcome: z
      .enum(attemptOutcomes)
      .describe(
        'refused: answered, not with 2xx; not_sent: nothing left; lost: sent, and no answer came; begun: in flight',
      ),
    http_status: z.int().optional(),
    error: z.string().optional().describe('how it broke, in a word'),
    response: z.string().optional().describe('the beginning of the answer, without what was sent in headers'),
  })
  .meta({ id: 'DeliveryAttempt' });

/** A payload on its way to a destination, and its outcome. */
export const delivery = z
  .object({
    id: id.describe('also the `webhook-id` of every attempt'),
    destination_id: id,
    origin: z.enum(deliveryOrigins),
    origin_id: id.describe(
      'the batch, the interaction, the schedule or the event; for a test the delivery itself',
    ),
    status: z.enum(deliveryStatuses),
    error: errorCodeSchema.optional(),
    next_attempt_at: timestamp
      .optional()
      .describe('of a waiting one; absent while its destination is inactive'),
    attempts: z
      .array(deliveryAttempt)
      .describe(
        `oldest first; of more than ${limits.deliveryAttempts} the latest ${limits.deliveryAttempts}`,
      ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Delivery' });

/** See {@link delivery}. */
export type Delivery = z.output<typeof delivery>;

/** The secret with which deliveries are signed. */
export const signingSecret = z
  .object({
    secret: z.string().describe('`whsec_` and base64, as Standard Webhooks libraries take it'),
    previous_secret: z.string().optional().describe('signs as well, so that receivers can change over'),
    previous_valid_until: timestamp.optional(),
  })
  .meta({ id: 'SigningSecret' });

/** See {@link signingSecret}. */
export type SigningSecret = z.output<typeof signingSecret>;
