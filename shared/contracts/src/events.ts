import { z } from 'zod';
import { auditEntrySchema } from './audit.ts';
import { environmentSchema } from './principal.ts';
import { toldEvent } from './public-events/catalogue.ts';
import { leftOut } from './resources/queue.ts';
import type { ServiceName } from './services.ts';

/**
 * An event for every replica of its consumers: published to all of them, consumed by none. A disconnected replica
 * misses it, and must drop the state that it may affect.
 */
export interface EventDeclaration<P extends z.ZodType = z.ZodType> {
  kind: 'event';
  /** Dotted name, the subject is `events.<name>`. */
  name: string;
  producers: readonly ServiceName[];
  consumers: readonly ServiceName[];
  payload: P;
}

/**
 * Work that one service must do, once, because another committed to it. It is outstanding in the outbox of its producer
 * until the consumer reports it done.
 */
export interface WorkDeclaration<P extends z.ZodType = z.ZodType> {
  kind: 'work';
  /** Kebab-case name, the subject is `work.<consumer>.<name>`. */
  name: string;
  producers: readonly ServiceName[];
  consumer: ServiceName;
  payload: P;
}

/** A message that leaves a service through its outbox. */
export type MessageDeclaration = EventDeclaration | WorkDeclaration;

/** The payload of an event or of work. */
export type PayloadOf<D extends MessageDeclaration> = z.output<D['payload']>;

/** Access of keys changed: revoked, roles, memberships, organization status, tier. Caches drop the organization. */
export const accessChanged = {
  kind: 'event',
  name: 'organization.access-changed',
  producers: ['organization'],
  consumers: ['gateway', 'queue-ingest', 'template', 'delivery'],
  payload: z.object({ organization_id: z.uuid() }),
} as const satisfies EventDeclaration;

/** The maintenance mode was set; the gateways read it again. */
export const maintenanceChanged = {
  kind: 'event',
  name: 'gateway.maintenance-changed',
  producers: ['gateway'],
  consumers: ['gateway'],
  payload: z.object({}),
} as const satisfies EventDeclaration;

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
 * them, released otherwise. A reservation of several messages is settled item by item. The version before ignores the
 * others, about whose reservations the ledger asks delivery half a minute later.
 */
export const settleReservation = {
  kind: 'work',
  name: 'settle-reservation',
  producers: ['delivery'],
  consumer: 'organization',
  payload: z.object({
    organization_id: z.uuid(),
    ...settlement,
    others: z.array(z.object(settlement)).optional().describe('operations of the same organization'),
  }),
} as const satisfies WorkDeclaration;

/** A batch is ready: delivery fetches its events, sends them, and reports the outcome. */
export const deliverBatch = {
  kind: 'work',
  name: 'deliver-batch',
  producers: ['queue-ingest'],
  consumer: 'delivery',
  payload: z.object({
    organization_id: z.uuid(),
    environment: environmentSchema,
    queue_id: z.uuid(),
    batch_id: z.uuid(),
    operation_id: z.uuid().describe('identifies this delivery of the batch; each retry has its own'),
  }),
} as const satisfies WorkDeclaration;

/** The outcome of a batch's delivery; reported again when a lookup settles an unknown outcome. */
export const reportBatch = {
  kind: 'work',
  name: 'report-batch',
  producers: ['delivery'],
  consumer: 'queue-ingest',
  payload: z.object({
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
} as const satisfies WorkDeclaration;

/** What the digest of a batch leaves out; told when the digest is accepted, before its outcome is known. */
export const noteLeftOut = {
  kind: 'work',
  name: 'note-left-out',
  producers: ['delivery'],
  consumer: 'queue-ingest',
  payload: z.object({
    organization_id: z.uuid(),
    environment: environmentSchema,
    batch_id: z.uuid(),
    operation_id: z.uuid(),
    left_out: leftOut,
  }),
} as const satisfies WorkDeclaration;

/**
 * A change for the audit log, written in the transaction that makes it. Call `audit` of the runtime instead of adding
 * it by hand. The organization service writes its own changes into the log directly.
 */
export const recordAudit = {
  kind: 'work',
  name: 'record-audit',
  producers: ['template', 'delivery', 'queue-ingest', 'gateway'],
  consumer: 'organization',
  payload: auditEntrySchema,
} as const satisfies WorkDeclaration;

/**
 * An event that customers subscribe to, written in the transaction in which it happens. Where a subscription matches,
 * the delivery service records the event and orders its deliveries.
 */
export const recordEvent = {
  kind: 'work',
  name: 'record-event',
  producers: ['organization', 'template', 'queue-ingest'],
  consumer: 'delivery',
  payload: toldEvent,
} as const satisfies WorkDeclaration;

const erasureBy = <C extends ServiceName>(consumer: C) =>
  ({
    kind: 'work',
    name: 'erase-organization',
    producers: ['organization'],
    consumer,
    payload: z.object({ organization_id: z.uuid() }),
  }) as const satisfies WorkDeclaration;

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
export const organizationErased = {
  kind: 'work',
  name: 'organization-erased',
  producers: erasingServices,
  consumer: 'organization',
  payload: z.object({
    organization_id: z.uuid(),
    service: z.enum(erasingServices),
    rows: z.int().min(0).describe('rows that were erased'),
  }),
} as const satisfies WorkDeclaration;

/** Every event and every kind of work. */
export const messageDeclarations: readonly MessageDeclaration[] = [
  accessChanged,
  maintenanceChanged,
  settleReservation,
  deliverBatch,
  recordAudit,
  recordEvent,
  reportBatch,
  noteLeftOut,
  ...Object.values(eraseOrganization),
  organizationErased,
];

/** The JetStream stream that holds the work of a service. */
export const workStreamOf = (service: ServiceName): string =>
  `WORK_${service.replaceAll('-', '_').toUpperCase()}`;

/** The stream that every event passes, so that a published event is acknowledged. */
export const eventStream = 'EVENTS';

/** The subject of an event or of work. */
export const messageSubjectOf = (declared: MessageDeclaration): string =>
  declared.kind === 'event' ? `events.${declared.name}` : `work.${declared.consumer}.${declared.name}`;

/** The subject of one piece of work: a stream that still holds it refuses a second copy. */
export const workSubjectOf = (subject: string, id: string): string => `${subject}.${id}`;

/** Where the processes of a service tell each other that one of their jobs has work. */
export const hintSubjectOf = (service: ServiceName): string => `hints.${service}`;

/** Where consumers report to a producer what they have done. */
export const doneSubjectOf = (producer: ServiceName): string => `done.${producer}`;
