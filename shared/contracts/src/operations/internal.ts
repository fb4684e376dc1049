import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { environmentSchema, principalSchema } from '../principal.ts';
import { creditOperations } from '../resources/credits.ts';
import { entityField } from '../resources/entity.ts';
import { compiledMessage, messageStatuses, problem } from '../resources/message.ts';
import { batch } from '../resources/queue.ts';
import { block, credits, freeObject, id, timestamp } from '../resources/values.ts';
import { roles, scopeSchema } from '../scopes.ts';
import { tierNames, tierSchema } from '../tiers.ts';
import { compileOptions } from './compile.ts';

/** What a template says of how its versions are compiled. */
const said = {
  fallback_text: z.string().nullable(),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
};
const compileDefaults = { ...said, strict: z.boolean() };

const tenant = { organization_id: id, environment: environmentSchema };

/** Finds who stands behind an API key. The key itself never travels: only its SHA-256 in lower-case hex. */
export const authenticateKey = internalOperation({
  id: 'authenticate-key',
  service: 'organization',
  readOnly: true,
  summary: 'Find the principal of an API key',
  callers: ['gateway'],
  input: z.object({ key_digest: z.string() }),
  reply: z.object({ principal: principalSchema, expires_at: z.iso.datetime().nullable() }),
  errors: ['invalid_token', 'access_denied'],
});

/**
 * Charges compiles of one organization, each once by its operation id. A charge is provisional until the gateway
 * confirms that the answer left; what is not confirmed within 20 seconds is reversed.
 */
export const chargeCredits = internalOperation({
  id: 'charge-credits',
  service: 'organization',
  summary: 'Charge compiles, each once',
  callers: ['compile'],
  input: z.object({
    organization_id: id,
    charges: z.array(
      z.object({
        environment: environmentSchema,
        operation_id: id,
        template_id: id,
        actor_id: z.string().describe('the key or session that pays'),
      }),
    ),
  }),
  reply: z.object({
    outcomes: z.array(
      z.union([
        z.object({ charged: z.literal(true), credit_log_id: id, remaining_credits: credits }),
        z.object({
          charged: z.literal(false),
          code: z.enum([
            'insufficient_credits',
            'overage_limit_exceeded',
            'credits_not_found',
            'credit_deduction_failed',
          ]),
        }),
      ]),
    ),
  }),
});

/** Makes provisional charges final: their answers have left the gateway. */
export const confirmCharges = internalOperation({
  id: 'confirm-charges',
  service: 'organization',
  summary: 'Confirm charges whose answers were given',
  callers: ['gateway'],
  input: z.object({ operation_ids: z.array(id) }),
  reply: z.object({ confirmed: z.int() }),
});

/** Sets credits aside for messages about to be sent; the settlement comes as work. Once by operation id. */
export const reserveCredits = internalOperation({
  id: 'reserve-credits',
  service: 'organization',
  summary: 'Reserve credits for messages',
  callers: ['delivery'],
  input: z.object({
    ...tenant,
    operation_id: id,
    operation: z
      .enum(creditOperations)
      .exclude(['compile'])
      .default('send')
      .describe('what the messages are sent by; the default is for processes of the version before'),
    template_id: id,
    actor_id: z.string(),
    amount: z.int().min(1).max(1000),
  }),
  reply: z.object({ reservation_id: id, remaining_credits: credits.describe('after all of it is charged') }),
  errors: ['insufficient_credits', 'overage_limit_exceeded', 'credits_not_found'],
});

/** Tells what became of the messages of old reservations. */
export const reportReservations = internalOperation({
  id: 'report-reservations',
  service: 'delivery',
  summary: 'Tell what became of reserved messages',
  callers: ['organization'],
  input: z.object({ reservations: z.array(z.object({ ...tenant, operation_id: id, amount: z.int() })) }),
  reply: z.object({
    reports: z.array(
      z.object({
        operation_id: id,
        open: z.boolean().describe('still on its way: ask again later'),
        items: z.array(
          z.object({
            item: z.int(),
            charged: z.boolean(),
            credit_log_id: id.nullable(),
            message_id: id.nullable(),
          }),
        ),
      }),
    ),
  }),
});

/** What the tier of an organization grants. */
export const getTier = internalOperation({
  id: 'get-tier',
  service: 'organization',
  readOnly: true,
  summary: 'Read what the tier of an organization grants',
  callers: ['queue-ingest'],
  input: z.object({ organization_id: id }),
  reply: tierSchema,
  errors: ['organization_not_found'],
});

/** Which version of each template is live now. Never answered from a cache. */
export const resolveLiveVersions = internalOperation({
  id: 'resolve-live-versions',
  service: 'template',
  readOnly: true,
  summary: 'Resolve the live versions of templates',
  callers: ['compile', 'queue-ingest', 'delivery'],
  input: z.object({
    templates: z.array(
      z.object({
        ...tenant,
        template_id: id,
        live_at: timestamp.optional().describe('the version that was live at this moment; default now'),
      }),
    ),
  }),
  reply: z.object({
    versions: z.array(
      z.union([
        z.object({
          found: z.literal(true),
          template_name: z.string(),
          version_id: id,
          version_number: z.int(),
          user_name: z.string().nullable(),
          icon_emoji: z.string().nullable(),
          ...compileDefaults,
        }),
        z.object({
          found: z.literal(false),
          code: z.enum(['template_not_found', 'version_not_found', 'invalid_state']),
        }),
      ]),
    ),
  }),
});

/** The content of a version, which never changes. */
export const getVersionContent = internalOperation({
  id: 'get-version-content',
  service: 'template',
  readOnly: true,
  summary: 'Read the blocks of a version',
  callers: ['compile'],
  input: z.object({ ...tenant, version_id: id }),
  reply: z.object({ blocks: z.array(block) }),
  errors: ['version_not_found'],
});

/** What a preview of a version needs besides its blocks; the live version unless one is named. */
export const getPreviewSource = internalOperation({
  id: 'get-preview-source',
  service: 'template',
  readOnly: true,
  summary: 'Read what a preview of a version is made with',
  callers: ['compile'],
  input: z.object({ ...tenant, template_id: id, version_id: id.optional() }),
  reply: z.object({
    template_name: z.string(),
    version_id: id,
    version_number: z.int(),
    sample_data: freeObject.nullable(),
    ...compileDefaults,
  }),
  errors: ['template_not_found', 'version_not_found'],
});

/** What the inputs of a version are derived from besides its blocks; the live version unless one is named. */
export const getInputSource = internalOperation({
  id: 'get-input-source',
  service: 'template',
  readOnly: true,
  summary: 'Read what the inputs of a version are derived from',
  callers: ['compile'],
  input: z.object({ ...tenant, template_id: id, version_id: id.optional() }),
  reply: z.object({
    version_id: id,
    fallback_text: z.string().nullable(),
    sample_data: freeObject.nullable(),
    entity_fields: z.array(entityField).describe('of the entity of the version, each before those inside it'),
  }),
  errors: ['template_not_found', 'version_not_found'],
});

/** Fills omitted ids and compiles blocks with sample data, as before saving them. */
export const checkBlocks = internalOperation({
  id: 'check-blocks',
  service: 'compile',
  readOnly: true,
  summary: 'Fill ids, compile, and derive the request format',
  callers: ['template'],
  input: z.object({
    blocks: z.array(block),
    sample_data: freeObject,
    ...said,
  }),
  reply: z.object({
    blocks: z.array(block),
    request_format: z.record(z.string(), z.null()),
    problems: z.array(problem),
    warnings: z.array(z.string()),
  }),
});

/** Compiles the live version of a template without charging: the first half of a send. */
export const renderTemplate = internalOperation({
  id: 'render-template',
  service: 'compile',
  readOnly: true,
  summary: 'Compile the live version for a send',
  callers: ['delivery'],
  input: z.object({ ...tenant, ...compileOptions, live_at: timestamp.optional() }),
  reply: compiledMessage.extend({
    template_name: z.string(),
    version_id: id,
    version_number: z.int(),
    user_name: z.string().nullable(),
    icon_emoji: z.string().nullable(),
    warnings: z.array(z.string()),
    fields_truncated: z.int(),
  }),
  errors: ['template_not_found', 'version_not_found', 'invalid_state', 'compilation_failed', 'invalid_data'],
});

/** All that delivery needs to send a batch: where it goes, what makes it, and its events. */
export const getBatchContent = internalOperation({
  id: 'get-batch-content',
  service: 'queue-ingest',
  readOnly: true,
  summary: 'Read a ready batch with its events',
  callers: ['delivery'],
  input: z.object({ ...tenant, batch_id: id, operation_id: id }),
  reply: z.object({
    queue: z.object({ id, name: z.string() }),
    batch: batch.pick({ id: true, opened_at: true, closed_at: true, close_reason: true }),
    live_at: timestamp.describe('the version that was live then makes the digest'),
    template_id: id.nullable(),
    channel_id: z.string().nullable(),
    recipient_email: z.string().nullable(),
    recipient_chat_id: z.string().nullable(),
    destination_id: id.nullable(),
    events: z.array(freeObject).describe('in the order in which they came'),
  }),
  errors: ['not_found'],
});

/** Which queues make their digests from a template, so that it is not deleted under them. */
export const listTemplateQueues = internalOperation({
  id: 'list-template-queues',
  service: 'queue-ingest',
  readOnly: true,
  summary: 'List the queues that refer to a template',
  callers: ['template'],
  input: z.object({ ...tenant, template_id: id }),
  reply: z.object({ queues: z.array(z.object({ id, name: z.string() })).describe('the first ten') }),
});

/** Which queues deliver to a destination, so that it is not deleted under them. */
export const listDestinationQueues = internalOperation({
  id: 'list-destination-queues',
  service: 'queue-ingest',
  readOnly: true,
  summary: 'List the queues that deliver to a destination',
  callers: ['delivery'],
  input: z.object({ ...tenant, destination_id: id }),
  reply: z.object({ queues: z.array(z.object({ id, name: z.string() })).describe('the first ten') }),
});

/** Makes an organization with its owner and its credit account. Once by name and owner e-mail. */
export const createOrganization = internalOperation({
  id: 'create-organization',
  service: 'organization',
  summary: 'Create an organization and its owner',
  callers: ['admin'],
  input: z.object({
    name: z.string().min(1).max(255),
    tier: z.enum(tierNames).default('free'),
    owner_email: z.email(),
    owner_first_name: z.string().default(''),
    owner_last_name: z.string().default(''),
    credits: z.int().min(0).optional().describe("first grant; default: the tier's monthly credits"),
  }),
  reply: z.object({ organization_id: id, user_id: id, created: z.boolean() }),
});

/** Adds a member; for operators, who need no invitation. */
export const addMember = internalOperation({
  id: 'add-member',
  service: 'organization',
  summary: 'Add a user to an organization',
  callers: ['admin'],
  input: z.object({
    organization_id: id,
    email: z.email(),
    first_name: z.string().default(''),
    last_name: z.string().default(''),
    role: z.enum(roles),
  }),
  reply: z.object({ user_id: id }),
  errors: ['organization_not_found', 'access_denied'],
});

/** Makes an API key for a user of an organization; the key is shown once. */
export const createKey = internalOperation({
  id: 'create-key',
  service: 'organization',
  summary: 'Create an API key',
  callers: ['admin'],
  input: z.object({
    organization_id: id,
    user_id: id.optional().describe('default: the owner'),
    environment: environmentSchema.default('production'),
    name: z.string().min(1).max(255),
    description: z.string().max(2000).optional(),
    scopes: z.array(scopeSchema).optional().describe("default: all of the role's"),
    expires_at: z.iso.datetime().optional(),
  }),
  reply: z.object({ key_id: id, key: z.string(), key_prefix: z.string(), scopes: z.array(z.string()) }),
  errors: ['organization_not_found', 'user_not_found'],
});

/** Revokes an API key; every gateway refuses it within a second. */
export const revokeKey = internalOperation({
  id: 'revoke-key',
  service: 'organization',
  summary: 'Revoke an API key',
  callers: ['admin'],
  input: z.object({ organization_id: id, key_id: id }),
  reply: z.object({ revoked: z.boolean() }),
  errors: ['not_found'],
});

/** Suspends an organization or takes it back. */
export const setOrganizationStatus = internalOperation({
  id: 'set-organization-status',
  service: 'organization',
  summary: 'Suspend or reinstate an organization',
  callers: ['admin'],
  input: z.object({ organization_id: id, status: z.enum(['active', 'suspended']) }),
  reply: z.object({ status: z.string() }),
  errors: ['organization_not_found'],
});

/** Adds credits. Once by grant id. */
export const grantCredits = internalOperation({
  id: 'grant-credits',
  service: 'organization',
  summary: 'Grant credits',
  callers: ['admin'],
  input: z.object({
    organization_id: id,
    grant_id: id.describe('chosen by the caller: the same grant is given once'),
    amount: z
      .int()
      .min(-1_000_000_000)
      .max(1_000_000_000)
      .refine((amount) => amount !== 0, { message: 'must not be 0' })
      .describe('negative takes credits away'),
    reason: z.string().min(1).max(255),
  }),
  reply: z.object({ balance: credits }),
  errors: ['organization_not_found', 'insufficient_credits'],
});

/** Lists organizations, for operators. */
export const listOrganizations = internalOperation({
  id: 'list-organizations',
  service: 'organization',
  readOnly: true,
  summary: 'List organizations',
  callers: ['admin'],
  input: z.object({ limit: z.int().min(1).max(1000).default(100), offset: z.int().min(0).default(0) }),
  reply: z.object({
    organizations: z.array(
      z.object({
        id,
        name: z.string(),
        tier: z.enum(tierNames),
        status: z.string(),
        balance: credits,
        reserved: credits,
      }),
    ),
    total: z.int(),
  }),
});

/** Counts messages by state, for operators and checks. */
export const countMessages = internalOperation({
  id: 'count-messages',
  service: 'delivery',
  readOnly: true,
  summary: 'Count messages by state',
  callers: ['admin'],
  input: z.object(tenant),
  reply: z.object({ counts: z.partialRecord(z.enum(messageStatuses), z.int()) }),
});
