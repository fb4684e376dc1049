import { z } from 'zod';
import { clientSchema } from '../client.ts';
import { httpOperation, internalOperation } from '../operation.ts';
import { actorSchema, environmentSchema } from '../principal.ts';
import { id, integerQuery, listOf, pageQuery, timestamp } from '../resources/values.ts';

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
    client: clientSchema
      .nullable()
      .describe('where that request came from; null for what an operator or the system did'),
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
    'One line for each change of both environments; a key of preview reads the lines of preview alone. Written in the transaction of the change; lines of other services than the one that keeps the log arrive a moment later.',
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

/** Lines that one answer of an export holds at most. */
const mostExported = 1_000;

/** Names the line after which to go on. */
const cursor = z
  .string()
  .regex(/^\d{13}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a next_cursor that was answered');

const exportedLines = z
  .object({
    data: z.array(auditRecord),
    next_cursor: z
      .string()
      .nullable()
      .describe('names the last line of the answer: what comes after it is read with it, now or later'),
    has_more: z.boolean().describe('whether more lines are there already'),
  })
  .meta({ id: 'AuditExport' });

/** Reads the audit log to its end, and what comes after it. */
export const exportAuditLog = httpOperation({
  id: 'export-audit-log',
  service: 'organization',
  summary: 'Export the audit log of both environments, in the order in which its lines were written',
  description:
    'Ask with the `next_cursor` of the answer before, and no line is missed and none comes twice, also of those that arrive later. A line is given about a second after it was written, once all changes that began before it have ended.',
  method: 'GET',
  path: '/audit-log/export',
  access: 'audit:read',
  role: 'admin',
  organizationWide: true,
  query: z.strictObject({
    cursor: cursor.optional().describe('`next_cursor` of the answer before; none: from the oldest line'),
    count: integerQuery(1, mostExported, mostExported).describe('lines of the answer at most'),
    from: moment.optional().describe('changes at or after this moment'),
    to: moment.optional().describe('changes before this moment'),
  }),
  reply: exportedLines,
});

/** The same for an operator, of any organization. */
export const exportAudit = internalOperation({
  id: 'export-audit',
  service: 'organization',
  readOnly: true,
  summary: 'Export the audit log of an organization',
  callers: ['admin'],
  input: z.object({
    organization_id: id,
    cursor: cursor.optional(),
    count: z.int().min(1).max(mostExported).default(mostExported),
    from: moment.optional(),
    to: moment.optional(),
  }),
  reply: exportedLines,
  errors: ['organization_not_found'],
});
