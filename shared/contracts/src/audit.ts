import { z } from 'zod';
import { clientSchema } from './client.ts';
import { actorSchema, environmentSchema } from './principal.ts';
import { timestamp } from './resources/values.ts';

/** An entry of the audit log: who changed what, where, when, and in which request. */
export const auditEntrySchema = z.object({
  organization_id: z.uuid(),
  environment: environmentSchema.nullable().describe('null for a change of both environments'),
  actor: actorSchema,
  action: z
    .string()
    .regex(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
    .describe('`<kind of subject>.<what was done to it>`'),
  subject: z.object({ kind: z.string(), id: z.string() }),
  changes: z.record(z.string(), z.unknown()).describe('facts of the change, without secrets and content'),
  request_id: z.string(),
  operation_id: z.uuid().optional(),
  client: clientSchema.nullish().describe('the origin of the request; absent for a change without one'),
  at: timestamp,
});

/** See {@link auditEntrySchema}. */
export type AuditEntry = z.output<typeof auditEntrySchema>;
