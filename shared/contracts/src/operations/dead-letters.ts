import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { id, timestamp } from '../resources/values.ts';
import type { ServiceName } from '../services.ts';

/** The services with an outbox, whose jobs may fail for good. */
export const deadLetterServices = [
  'organization',
  'template',
  'delivery',
  'queue-ingest',
  'gateway',
] as const satisfies readonly ServiceName[];

/** See {@link deadLetterServices}. */
export type DeadLetterService = (typeof deadLetterServices)[number];

/** A failed job, as operators see it. */
export const deadLetter = z.object({
  id,
  message_id: z.string().nullable().describe('of its row in the outbox'),
  subject: z.string().describe('which job it is'),
  reason: z.string().describe('what stood in the way the last time'),
  deliveries: z.int().describe('how often it was tried'),
  created_at: timestamp,
  resolved_at: timestamp.nullable().describe('when an operator dealt with it'),
  payload: z.string().optional().describe('where one letter is asked for'),
});

/** See {@link deadLetter}. */
export type DeadLetterResource = z.output<typeof deadLetter>;

const listOf = <S extends DeadLetterService>(service: S) =>
  internalOperation({
    id: `list-${service}-dead-letters`,
    service,
    readOnly: true,
    summary: `List the failed jobs of the ${service} service`,
    callers: ['admin'],
    input: z.object({
      id: id.optional().describe('this one alone, with its payload'),
      resolved: z.boolean().default(false).describe('those that were dealt with'),
      limit: z.int().min(1).max(1000).default(100),
      offset: z.int().min(0).default(0),
    }),
    reply: z.object({ dead_letters: z.array(deadLetter) }),
  });

const resolvingOf = <S extends DeadLetterService>(service: S) =>
  internalOperation({
    id: `resolve-${service}-dead-letter`,
    service,
    summary: `Run a failed job of the ${service} service again, or discard it`,
    callers: ['admin'],
    deadlineMs: 15_000,
    input: z.object({ id, how: z.enum(['replay', 'discard']) }),
    reply: z.object({ result: z.enum(['replayed', 'discarded', 'resolved_before']) }),
    errors: ['not_found', 'invalid_state'],
  });

/** Lists dead letters, oldest first; by default those that are not resolved. */
export const listDeadLetters = {
  organization: listOf('organization'),
  template: listOf('template'),
  delivery: listOf('delivery'),
  'queue-ingest': listOf('queue-ingest'),
  gateway: listOf('gateway'),
} as const;

/** Returns a failed job to the outbox, or discards it. */
export const resolveDeadLetter = {
  organization: resolvingOf('organization'),
  template: resolvingOf('template'),
  delivery: resolvingOf('delivery'),
  'queue-ingest': resolvingOf('queue-ingest'),
  gateway: resolvingOf('gateway'),
} as const;
