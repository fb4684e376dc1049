import { z } from 'zod';
import type { ServiceName } from './services.ts';

/**
 * An event for every replica of its consumers. NATS stores none: a disconnected replica misses it, and must drop the
 * state that it may affect.
 */
export interface EventDeclaration<P extends z.ZodType = z.ZodType> {
  kind: 'event';
  /** Dotted name, the subject is `events.<name>`. */
  name: string;
  producers: readonly ServiceName[];
  consumers: readonly ServiceName[];
  payload: P;
}

/** The payload of an event. */
export type PayloadOf<D extends EventDeclaration> = z.output<D['payload']>;

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

/** Every event. */
export const eventDeclarations: readonly EventDeclaration[] = [accessChanged, maintenanceChanged];

/** The subject of an event. */
export const eventSubjectOf = ({ name }: EventDeclaration): string => `events.${name}`;

/** Where the processes of a service tell each other that one of their jobs has work. */
export const hintSubjectOf = (service: ServiceName): string => `hints.${service}`;
