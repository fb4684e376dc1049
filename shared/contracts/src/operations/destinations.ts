import { z } from 'zod';
import { httpOperation, internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import {
  delivery,
  deliveryStatuses,
  destination,
  destinationFields,
  signingSecret,
} from '../resources/destination.ts';
import {
  beginsOnce,
  deleted,
  freeObject,
  growingListOf,
  growingQuery,
  id,
  key,
  keyQuery,
  listOf,
  newKey,
  pageQuery,
  sorts,
} from '../resources/values.ts';

const byId = z.strictObject({ id });
const byDelivery = z.strictObject({ id, delivery_id: id });
const { name, url, ...rest } = destinationFields;

/** Lists destinations. */
export const listDestinations = httpOperation({
  id: 'list-destinations',
  service: 'delivery',
  summary: 'List destinations, newest first',
  method: 'GET',
  path: '/destinations',
  access: 'destinations:read',
  query: pageQuery.extend({ key: keyQuery, is_active: z.enum(['true', 'false']).optional(), sort: sorts }),
  reply: listOf(destination),
});

/** Creates a destination. */
export const createDestination = httpOperation({
  id: 'create-destination',
  service: 'delivery',
  summary: 'Create a destination',
  description:
    'Values of headers are credentials: stored encrypted, never answered. Private and other special addresses are refused here as far as the text shows them, and at each connection after names are resolved.',
  method: 'POST',
  path: '/destinations',
  access: 'destinations:write',
  status: 201,
  body: z.strictObject({
    name,
    key: newKey,
    url,
    description: rest.description.optional(),
    method: rest.method.default('POST'),
    headers: rest.headers.default({}),
    auth_type: rest.auth_type.default('none'),
    is_active: rest.is_active.default(true),
    retry_enabled: rest.retry_enabled.default(false),
    max_retries: rest.max_retries.default(3),
    retry_strategy: rest.retry_strategy.default('exponential'),
    retry_initial_delay_ms: rest.retry_initial_delay_ms.default(1_000),
    retry_max_delay_ms: rest.retry_max_delay_ms.default(30_000),
    timeout_ms: rest.timeout_ms.default(10_000),
  }),
  reply: destination,
  errors: ['already_exists', 'tier_limit'],
  example: {
    name: 'Ticket system',
    url: 'https://tickets.example.com/hooks/stanza',
    headers: { Authorization: 'Bearer s3cr3t' },
    auth_type: 'bearer',
    retry_enabled: true,
  },
});

/** The outcomes of its deliveries change these keys; callers do not. */
const tagged = { without: ['breaker', 'consecutive_failures', 'disabled_at'], onlyForChanges: true } as const;

/** Reads a destination. */
export const getDestination = httpOperation({
  id: 'get-destination',
  service: 'delivery',
  summary: 'Read a destination',
  method: 'GET',
  path: '/destinations/{id}',
  access: 'destinations:read',
  entityTag: tagged,
  params: byId,
  reply: destination,
  errors: ['not_found'],
});

/** Changes a destination. */
export const updateDestination = httpOperation({
  id: 'update-destination',
  service: 'delivery',
  summary: 'Change a destination',
  description:
    'What is left out stays, but for the headers and `auth_type` when `url` names another origin (scheme, host or port): they are cleared unless they are given again. `headers` replaces all headers, and `{}` clears them. Deliveries that wait go by the new values; making it active again forgets its failures. Another `url` takes the scopes by which what goes there is read: `usage:read` where it is subscribed to events, `queues:write` where a queue delivers to it, and always `interactions:read`, since a message in a chat may name it.',
  method: 'PATCH',
  path: '/destinations/{id}',
  access: 'destinations:write',
  entityTag: tagged,
  params: byId,
  body: z.strictObject(destinationFields).partial(),
  reply: destination,
  errors: ['not_found', 'misconfigured'],
  example: { name: 'Ticket system, new', retry_enabled: true, max_retries: 5 },
});

/** Deletes a destination. */
export const deleteDestination = httpOperation({
  id: 'delete-destination',
  service: 'delivery',
  summary: 'Delete a destination',
  description:
    'Refused while a queue or a subscription to events delivers to it. Its deliveries are deleted too; waiting ones are abandoned.',
  method: 'DELETE',
  path: '/destinations/{id}',
  access: 'destinations:write',
  params: byId,
  reply: deleted,
  errors: ['not_found', 'invalid_state'],
});

/** Sends one payload to try a destination. */
export const testDestination = httpOperation({
  id: 'test-destination',
  service: 'delivery',
  posts: true,
  summary: 'Send a payload to try a destination',
  description:
    'Once, signed and with the headers of the destination, even while it is inactive. Only to hosts that the operator enabled. The answer says how it went; it costs nothing.',
  method: 'POST',
  path: '/destinations/{id}/test',
  access: 'destinations:write',
  params: byId,
  lostAnswer: 'delivery_outcome_unknown',
  lostMessage:
    'The answer was lost, so it is not known here whether the destination took the payload. GET /v1/destinations/{id}/deliveries shows the outcome.',
  deadlineMs: 15_000,
  body: z
    .strictObject({ payload: freeObject.default({ type: 'test' }) })
    .default({ payload: { type: 'test' } }),
  reply: z.object({ success: z.boolean().describe('it answered 2xx'), delivery }),
  errors: [
    'not_found',
    'destination_address_refused',
    'delivery_outcome_unknown',
    'destination_test_host_not_enabled',
    'misconfigured',
  ],
  example: { payload: { type: 'test', text: 'Can you hear me?' } },
});

/** Lists what went to a destination. */
export const listDeliveries = httpOperation({
  id: 'list-deliveries',
  service: 'delivery',
  summary: 'List the deliveries of a destination with their attempts, newest first',
  description: 'The failed ones are its dead letters: each can be retried.',
  method: 'GET',
  path: '/destinations/{id}/deliveries',
  access: 'destinations:read',
  params: byId,
  query: growingQuery.extend({ status: z.enum(deliveryStatuses).optional() }).superRefine(beginsOnce),
  reply: growingListOf(delivery),
  errors: ['not_found'],
});

/** Shows a delivery with its payload. */
export const getDelivery = httpOperation({
  id: 'get-delivery',
  service: 'delivery',
  summary: 'Read a delivery of a destination with its payload',
  description:
    'The payload of a batch also takes `queues:write`, of an event `usage:read`, of an interaction `interactions:read`.',
  method: 'GET',
  path: '/destinations/{id}/deliveries/{delivery_id}',
  access: 'destinations:write',
  params: byDelivery,
  reply: delivery.extend({ payload: z.string().describe('JSON text, as it is signed and sent') }),
  errors: ['not_found'],
});

/** Repeats a delivery that failed or whose outcome is unknown. */
export const retryDelivery = httpOperation({
  id: 'retry-delivery',
  service: 'delivery',
  summary: 'Retry a delivery that failed or whose outcome is unknown',
  description:
    'With the same `webhook-id`, so that a receiver recognizes it, and with the attempts that the destination allows now.',
  method: 'POST',
  path: '/destinations/{id}/deliveries/{delivery_id}/retry',
  access: 'destinations:write',
  params: byDelivery,
  reply: delivery,
  errors: ['not_found', 'invalid_state'],
  noGeneratedSuccess:
    'it takes a delivery of a batch, an interaction or an event that has failed; a test is not retried',
});

/** Shows the secret with which deliveries are signed. */
export const getSigningSecret = httpOperation({
  id: 'get-signing-secret',
  service: 'delivery',
  summary: 'Read the secret that signs deliveries',
  description:
    'Deliveries carry webhook-id, webhook-timestamp and webhook-signature as Standard Webhooks define them.',
  method: 'GET',
  path: '/destinations/{id}/signing-secret',
  access: 'destinations:write',
  params: byId,
  reply: signingSecret,
  errors: ['not_found', 'misconfigured'],
});

/** Makes a new signing secret. */
export const rotateSigningSecret = httpOperation({
  id: 'rotate-signing-secret',
  service: 'delivery',
  summary: 'Make a new signing secret',
  description: 'For 24 hours deliveries are signed with both, so that receivers can change over.',
  method: 'POST',
  path: '/destinations/{id}/signing-secret/rotate',
  access: 'destinations:write',
  params: byId,
  reply: signingSecret,
  errors: ['not_found', 'misconfigured'],
});

/** Answers whether a destination exists, before a resource refers to it. */
export const checkDestination = internalOperation({
  id: 'check-destination',
  service: 'delivery',
  readOnly: true,
  summary: 'Check that a destination exists',
  callers: ['queue-ingest', 'template'],
  input: z.object({
    organization_id: id,
    environment: environmentSchema,
    destination_id: id.optional(),
    destination_key: key.optional().describe('in place of the id'),
  }),
  reply: z.object({ id, name: z.string(), is_active: z.boolean() }),
  errors: ['not_found'],
});
