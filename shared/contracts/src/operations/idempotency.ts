import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { errorFactsSchema } from '../errors.ts';
import { internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { freeObject, id, timestamp } from '../resources/values.ts';

/** Incomplete: running, or blocked since its process died. Released: the next request with the key runs again. */
export const idempotencyStates = ['incomplete', 'released', 'completed'] as const;

/** The record of a request that came with an `Idempotency-Key`, as operators see it. */
export const idempotencyRecord = z.object({
  operation_id: id,
  organization_id: id,
  environment: environmentSchema,
  operation: z.string(),
  key: z.string(),
  state: z.enum(idempotencyStates),
  request_id: z.string().describe('of the first request'),
  actor_id: z.string(),
  claimed_at: timestamp,
  completed_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  settled: z.boolean().describe('an operator ended it'),
  status: z.int().nullable(),
  body_bytes: z.int().nullable(),
});

/** See {@link idempotencyRecord}. */
export type IdempotencyRecord = z.output<typeof idempotencyRecord>;

/** Lists keyed requests, oldest first; by default those without an answer. */
export const listIdempotencyRecords = internalOperation({
  id: 'list-idempotency-records',
  service: 'gateway',
  readOnly: true,
  summary: 'List requests that came with an Idempotency-Key',
  callers: ['admin'],
  input: z.object({
    state: z.enum(idempotencyStates).default('incomplete'),
    organization_id: id.optional(),
    key: z.string().optional(),
    limit: z.int().min(1).max(1000).default(100),
    offset: z.int().min(0).default(0),
  }),
  reply: z.object({ records: z.array(idempotencyRecord) }),
});

/** Reads the record of one operation. */
export const getIdempotencyRecord = internalOperation({
  id: 'get-idempotency-record',
  service: 'gateway',
  readOnly: true,
  summary: 'Read the record of a keyed request',
  callers: ['admin'],
  input: z.object({ operation_id: id }),
  reply: z.object({ record: idempotencyRecord }),
  errors: ['not_found'],
});

/** An outcome that an operator gives by hand: the reply of a success, or an error. */
const givenOutcome = z.union([
  z.object({ reply: freeObject }),
  z.object({ code: errorCodeSchema, message: z.string().min(1).optional() }),
]);

/**
 * Ends a blocked request with its true outcome, which replays then give. Without an outcome the owner of the operation
 * is asked; when it says that nothing ever happened, and never will, the key is free again.
 */
export const settleIdempotencyRecord = internalOperation({
  id: 'settle-idempotency-record',
  service: 'gateway',
  summary: 'End a blocked keyed request with its true outcome',
  callers: ['admin'],
  input: z.object({ operation_id: id, outcome: givenOutcome.optional() }),
  reply: z.object({ result: z.enum(['completed', 'freed']), status: z.int().optional() }),
  errors: ['not_found', 'invalid_state', 'validation_failed'],
});

/**
 * Lets the next request with the key of a blocked one run. It runs under the same operation id, so that it cannot post
 * or charge twice; only when its owner says that nothing ever happened is the key free for a new operation.
 */
export const releaseIdempotencyRecord = internalOperation({
  id: 'release-idempotency-record',
  service: 'gateway',
  summary: 'Let a blocked keyed request run again',
  callers: ['admin'],
  input: z.object({ operation_id: id }),
  reply: z.object({ result: z.enum(['released', 'freed']) }),
  errors: ['not_found', 'invalid_state'],
});

/**
 * Confirms charges whose answers are stored, since replays return these answers. A charge that was reversed before its
 * confirmation came is made again, if there are credits for it.
 */
export const confirmRememberedCharges = internalOperation({
  id: 'confirm-remembered-charges',
  service: 'organization',
  summary: 'Confirm charges whose answers are remembered',
  callers: ['gateway'],
  input: z.object({ answers: z.array(z.object({ organization_id: id, operation_id: id })).max(1000) }),
  reply: z.object({
    confirmed: z.int(),
    charged_again: z.int(),
    lost: z.int().describe('taken back, and no credits left to charge them again'),
  }),
});

/** What each service that keeps the outcomes of its operations is asked, and answers. */
const reporting = {
  summary: 'Tell what became of an operation',
  callers: ['gateway'],
  input: z.object({
    organization_id: id,
    environment: environmentSchema,
    operation_id: id,
    operation: z.string().describe('which of the operations of the service it was'),
  }),
  reply: z.discriminatedUnion('outcome', [
    z.object({
      outcome: z.literal('nothing'),
      kept_days: z.int().optional().describe('days after which the owner forgets what it has done'),
    }),
    z.object({ outcome: z.literal('running') }),
    z.object({ outcome: z.literal('done'), reply: freeObject }),
    z.object({ outcome: z.literal('refused'), error: errorFactsSchema.extend({ code: errorCodeSchema }) }),
    z.object({ outcome: z.literal('untold') }).describe('this owner cannot tell'),
  ]),
} as const;

/** Returns the outcome of an operation whose answer was lost. `nothing` is final: the operation cannot happen later. */
export const reportOperation = internalOperation({
  id: 'report-operation',
  service: 'delivery',
  ...reporting,
});

/** {@link reportOperation} of queues. */
export const reportQueueOperation = internalOperation({
  id: 'report-queue-operation',
  service: 'queue-ingest',
  ...reporting,
});
