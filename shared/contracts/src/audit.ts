import { z } from 'zod';
import { clientSchema } from './client.ts';
import { actorSchema, environmentSchema } from './principal.ts';
import { timestamp } from './resources/values.ts';

/** One change as the audit log keeps it: who changed what, where, when, and in which request. */
export const auditEntrySchema = z.object({
  organization_id: z.uuid(),
  environment: environmentSchema.nullable().describe('null for what belongs to both environments'),
  actor: actorSchema,
  action: z
    .string()
    .regex(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
    .describe('`<kind of subject>.<what was done to it>`'),
  subject: z.object({ kind: z.string(), id: z.string() }),
  changes: z.record(z.string(), z.unknown()).describe('facts of the change; never secrets, never content'),
  request_id: z.string(),
  client: clientSchema.nullish().describe('where the request came from; nothing for what no request did'),
  at: timestamp,
});

/** See {@link auditEntrySchema}. */
export type AuditEntry = z.output<typeof auditEntrySchema>;
