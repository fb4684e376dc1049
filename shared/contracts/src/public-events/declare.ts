import { z } from 'zod';
import { environmentSchema } from '../principal.ts';
import { id, timestamp } from '../resources/values.ts';
import type { ServiceName } from '../services.ts';

/** Facts of an event, apart from its payload. */
interface PublicEventFacts<T extends string, D extends z.ZodObject> {
  /** The kind of its subject and what became of it: `message.sent`. */
  readonly type: T;
  /** The service in whose transaction it is recorded. */
  readonly origin: ServiceName;
  /** When it happens, in one sentence. */
  readonly when: string;
  /** The field with the id of its subject: events of one subject are delivered in order. */
  readonly subject: string;
  readonly data: D;
  /** Its data, for the documentation. */
  readonly example: z.input<D>;
}

/** The name of the schema of an event: `message.sent` is a `MessageSentEvent`. */
const schemaNameOf = (type: string): string =>
  `${type.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const exampleId = '01938c2e-7b1a-7c3d-9e4f-0000a1b2c3d4';
const exampleOrganization = '01938c2e-7b1a-7c3d-9e4f-00004d1f9a02';

/**
 * Declares an event that customers subscribe to. Its schema may gain optional fields and lose none: events are kept for
 * weeks, and processes of two versions read them.
 */
export const publicEvent = <const T extends string, D extends z.ZodObject>(facts: PublicEventFacts<T, D>) => {
  const { type, when, data, example } = facts;
  const schemaName = schemaNameOf(type);
  const created_at = '2026-11-21T08:30:00.000Z';
  const sample = {
    id: exampleId,
    type,
    created_at,
    organization_id: exampleOrganization,
    environment: 'production',
    data: example,
  } as const;
  const schema = z
    .object({
      id: id.describe('names the event: the same in each delivery of it'),
      type: z.literal(type),
      created_at: timestamp.describe('when it happened'),
      organization_id: id,
      environment: environmentSchema,
      data,
    })
    .describe(when)
    .meta({ id: schemaName, examples: [sample] });
  return { ...facts, schema, schemaName, sample };
};
