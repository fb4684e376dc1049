import { z } from 'zod';
import { chargeErrors } from '../error-lists.ts';
import { internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { creditOperations } from '../resources/credits.ts';
import { credits, id } from '../resources/values.ts';

const tenant = { organization_id: id, environment: environmentSchema };

/**
 * Charges compiles of one organization, each once by its operation id. A charge is provisional until the gateway
 * confirms that the answer left; a charge that is not confirmed within 20 seconds is reversed.
 */
export const chargeCredits = internalOperation({
  id: 'charge-credits',
  service: 'organization',
  once: true,
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
          code: z.enum([...chargeErrors]),
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

/** An operation that wants credits for its messages. */
const wish = {
  environment: environmentSchema,
  operation_id: id,
  operation: z
    .enum(creditOperations)
    .exclude(['compile'])
    .default('send')
    .describe('origin of the messages; the default is for processes of the previous version'),
  template_id: id,
  actor_id: z.string(),
  amount: z.int().min(1).max(1000),
};

const reservation = {
  reservation_id: id,
  remaining_credits: credits.describe('after all of it is charged'),
};

/** Why credits are not reserved. */
export const reserveErrors = ['insufficient_credits', 'overage_limit_exceeded', 'credits_not_found'] as const;

/**
 * Sets credits aside for the messages of one operation. Processes of the previous version call it; this version reserves
 * those of several operations together.
 */
export const reserveCredits = internalOperation({
  id: 'reserve-credits',
  service: 'organization',
  once: true,
  summary: 'Reserve credits for messages',
  callers: ['delivery'],
  input: z.object({ organization_id: id, ...wish }),
  reply: z.object(reservation),
  errors: reserveErrors,
});

/**
 * Sets credits aside for messages about to be sent, for each operation of one organization all or none; the settlement
 * comes as work. Once by operation id.
 */
export const reserveTogether = internalOperation({
  id: 'reserve-together',
  service: 'organization',
  once: true,
  summary: 'Reserve credits for the messages of several operations',
  callers: ['delivery'],
  input: z.object({ organization_id: id, wishes: z.array(z.object(wish)).min(1).max(128) }),
  reply: z.object({
    outcomes: z
      .array(
        z.union([
          z.object({ reserved: z.literal(true), ...reservation }),
          z.object({ reserved: z.literal(false), code: z.enum(reserveErrors) }),
        ]),
      )
      .describe('one for each, in order'),
  }),
});

/** Reports the outcomes of the messages of old reservations. */
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
