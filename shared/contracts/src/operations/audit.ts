import { z } from 'zod';
import { httpOperation } from '../operation.ts';
import { actorSchema, environmentSchema } from '../principal.ts';
import { id, listOf, pageQuery, timestamp } from '../resources/values.ts';

/** A line of the audit log. */
export const auditRecord = z
  .object({
    id,
    environment: environmentSchema
      .nullable()
      .describe('where it happened; null for what belongs to both environments'),
    actor: actorSchema,
    action: z
      .string()
      .describe('`<kind of subject>.<what was done to it>`')
      .meta({ example: 'api_key.created' }),
    subject: z.object({ kind: z.string(), id: z.string() }).describe('what was changed'),
    changes: z.record(z.string(), z.unknown()).describe('facts of the change; no secrets'),
    request_id: z.string().describe('the `X-Request-Id` of the request that made the change'),
    created_at: timestamp,
  })
  .meta({ id: 'AuditRecord' });

/** See {@link auditRecord}. */
export type AuditRecord = z.output<typeof auditRecord>;

const moment = z.iso.datetime({ offset: true });

/** Reads the audit log. */
export const listAuditLog = httpOperation({
  id: 'list-audit-log',
  service: 'organization',
  summary: 'Read who changed what, newest first',
  description:
    'One line for each change of both environments, written in the transaction of the change; lines of other services than the one that keeps the log arrive a moment later.',
  method: 'GET',
  path: '/audit-log',
  access: 'audit:read',
  role: 'admin',
  query: pageQuery.extend({
    action: z.string().max(100).optional().describe('this action alone, like `template.activated`'),
    subject_kind: z.string().max(100).optional().describe('like `template`'),
    subject_id: z.string().max(255).optional(),
    user_id: id.optional().describe('changes on behalf of this user'),
    actor_id: z.string().max(255).optional().describe('changes by this key or session'),
    environment: environmentSchema.optional(),
    from: moment.optional().describe('changes at or after this moment'),
    to: moment.optional().describe('changes before this moment'),
  }),
  reply: listOf(auditRecord),
});
