import { z } from 'zod';
import { auditEntrySchema } from '../audit.ts';
import { clientSchema } from '../client.ts';
import { type InternalOperation, internalOperation, type JobOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { emittedEvent } from '../public-events/catalogue.ts';
import { leftOut } from '../resources/queue.ts';
import type { ServiceName } from '../services.ts';

/** The answer of a job: it is done, and its row is deleted. */
const done = z.object({});

type Declared<Id extends string, I extends z.ZodType> = Pick<
  InternalOperation<Id, I>,
  'id' | 'service' | 'summary' | 'callers' | 'input'
> &
  Partial<Pick<InternalOperation, 'errors' | 'deadlineMs' | 'job'>>;

/**
 * Declares an operation that its callers order by a row of their outbox, in the transaction that makes it necessary. It
 * may be called twice, so it is idempotent by a key of its input, or by the operation id of the call: the id of the row.
 */
const jobOperation = <const Id extends string, I extends z.ZodType>({
  job,
  ...declared
}: Declared<Id, I>): JobOperation<Id, I, typeof done> => ({
  ...internalOperation({ ...declared, reply: done }),
  // One with a time of its own is long: two replicas do not work on it at once.
  ...(declared.deadlineMs === undefined && { once: true }),
  job: job ?? { name: declared.id },
});

/** Outcomes of messages of one reservation. */
const settlement = {
  environment: environmentSchema,
  operation_id: z.uuid(),
  items: z
    .array(
      z.object({
        item: z.int().min(0).describe('number of the message within the operation, from 0'),
        charged: z.boolean(),
        credit_log_id: z.uuid().describe('chosen by delivery before the post'),
        message_id: z.uuid(),
      }),
    )
    .min(1),
};

/**
 * The outcomes of reserved messages of an operation, and of others that ended with it: charged when the platform accepted
 * them, released otherwise. A reservation of several messages is settled item by item. The previous version ignores the
 * others, about whose reservations the ledger asks delivery half a minute later.
 */
export const settleReservation = jobOperation({
  id: 'settle-reservation',
  service: 'organization',
  // Those of one organization share a statement.
  job: { name: 'settle-reservation', places: 128 },
  errors: ['not_found'],
  summary: 'Charge or release the messages of a reservation',
  callers: ['delivery'],
  input: z.object({
    organization_id: z.uuid(),
    ...settlement,
    others: z.array(z.object(settlement)).optional().describe('operations of the same organization'),
  }),
});

/** A batch is ready: delivery fetches its events, sends them, and reports the outcome. */
export const deliverBatch = jobOperation({
  id: 'deliver-batch',
  service: 'delivery',
  summary: 'Accept a batch, to send its digest',
  callers: ['queue-ingest'],
  input: z.object({
    organization_id: z.uuid(),
    environment: environmentSchema,
    queue_id: z.uuid(),
    batch_id: z.uuid(),
    operation_id: z.uuid().describe('identifies this delivery of the batch; each retry has its own'),
  }),
});

/** The outcome of a batch's delivery; reported again when a lookup settles an unknown outcome. */
export const reportBatch = jobOperation({
  id: 'report-batch',
  service: 'queue-ingest',
  summary: 'Write the outcome of a delivery of a batch',
  callers: ['delivery'],
  input: z.object({
    organization_id: z.uuid(),
    environment: environmentSchema,
    batch_id: z.uuid(),
    operation_id: z.uuid(),
    status: z.enum(['delivered', 'failed', 'unknown']),
    not_found: z
      .boolean()
      .optional()
      .describe(
        'of an unknown one: a lookup ten minutes after the post read the channel and did not find it',
      ),
    error: z.string().optional().describe('a code of the error registry'),
    error_details: z.string().optional(),
    message_id: z.uuid().optional(),
    delivery_id: z.uuid().optional(),
    credit_log_id: z.uuid().optional(),
  }),
});

/** What the digest of a batch leaves out; written when the digest is accepted, before its outcome is known. */
export const noteLeftOut = jobOperation({
  id: 'note-left-out',
  service: 'queue-ingest',
  summary: 'Write what the digest of a batch leaves out',
  callers: ['delivery'],
  input: z.object({
    organization_id: z.uuid(),
    environment: environmentSchema,
    batch_id: z.uuid(),
    operation_id: z.uuid(),
    left_out: leftOut,
  }),
});

/**
 * A change for the audit log, written in the transaction that makes it. Call `audit` of the runtime instead of adding
 * it by hand. The organization service writes its own changes into the log directly.
 */
export const recordAudit = jobOperation({
  id: 'record-audit',
  service: 'organization',
  summary: 'Write a line of the audit log',
  callers: ['template', 'delivery', 'queue-ingest', 'gateway'],
  input: auditEntrySchema,
});

/**
 * A session of the console begins, is refused or ends. The gateway knows the key or the person alone; the line stands in
 * the audit log of every organization that the session reaches. A refusal of nobody that is known has no organization.
 */
export const recordSignIn = jobOperation({
  id: 'record-sign-in',
  service: 'organization',
  summary: 'Write to the audit log that a session of the console begins, is refused or ends',
  callers: ['gateway'],
  input: z.object({
    who: z.union([
      z.object({ key_digest: z.string() }),
      z.object({ issuer: z.string(), subject: z.string(), client_id: z.string().optional() }),
    ]),
    outcome: z.enum(['signed_in', 'refused', 'signed_out']),
    request_id: z.string(),
    client: clientSchema,
    at: z.iso.datetime(),
  }),
});

/**
 * An event that customers subscribe to, written in the transaction in which it happens. Where a subscription matches,
 * the delivery service records the event and orders its deliveries.
 */
export const recordEvent = jobOperation({
  id: 'record-event',
  service: 'delivery',
  summary: 'Record an event that customers subscribe to',
  callers: ['organization', 'template', 'queue-ingest'],
  input: emittedEvent,
});

const erasureBy = <S extends ServiceName>(service: S) =>
  jobOperation({
    id: `erase-${service}-rows`,
    service,
    job: { name: 'erase-organization', places: 1 },
    summary: `Erase the rows of a deleted organization from the ${service} service`,
    callers: ['organization'],
    deadlineMs: 20_000,
    input: z.object({ organization_id: z.uuid() }),
  });

/** An organization was deleted: each service with rows of it erases them, and reports it. */
export const eraseOrganization = {
  gateway: erasureBy('gateway'),
  template: erasureBy('template'),
  delivery: erasureBy('delivery'),
  'queue-ingest': erasureBy('queue-ingest'),
} as const;

/** A service that erases its rows of a deleted organization. */
export type ErasingService = keyof typeof eraseOrganization;

/** The services that erase. */
export const erasingServices = [
  'gateway',
  'template',
  'delivery',
  'queue-ingest',
] as const satisfies readonly ErasingService[];

/** A service has erased all its rows of a deleted organization. */
export const organizationErased = jobOperation({
  id: 'organization-erased',
  service: 'organization',
  summary: 'Note that a service has erased a deleted organization',
  callers: erasingServices,
  input: z.object({
    organization_id: z.uuid(),
    service: z.enum(erasingServices),
    rows: z.int().min(0).describe('rows that were erased'),
  }),
});
