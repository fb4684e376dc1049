import { z } from 'zod';
import { clientSchema } from '../client.ts';
import { limits } from '../limits.ts';
import { logPlace } from '../log-place.ts';
import { httpOperation, internalOperation } from '../operation.ts';
import { actorSchema, environmentSchema } from '../principal.ts';
import {
  beginsOnce,
  endsLast,
  growingListOf,
  growingQuery,
  id,
  integerQuery,
  momentQuery,
  optionalIntegerQuery,
  timestamp,
} from '../resources/values.ts';

/** An entry of the audit log. */
export const auditRecord = z
  .object({
    id,
    environment: environmentSchema.nullable().describe('null for a change of both environments'),
    actor: actorSchema,
    action: z
      .string()
      .describe('`<kind of subject>.<what was done to it>`')
      .meta({ example: 'api_key.created' }),
    subject: z.object({ kind: z.string(), id: z.string() }).describe('what was changed'),
    changes: z.record(z.string(), z.unknown()).describe('facts of the change, without secrets'),
    request_id: z
      .string()
      .describe('the `X-Request-Id` of the request that made the change, which its client may have chosen'),
    operation_id: id
      .optional()
      .describe('what Stanza names the same request by, in its logs too; no client chooses it'),
    client: clientSchema
      .nullable()
      .describe('the origin of that request; null for a change by an operator or the system'),
    created_at: timestamp,
  })
  .meta({ id: 'AuditRecord' });

/** See {@link auditRecord}. */
export type AuditRecord = z.output<typeof auditRecord>;

/** Reads the audit log. */
export const listAuditLog = httpOperation({
  id: 'list-audit-log',
  service: 'organization',
  summary: 'Read who changed what, newest first',
  description:
    'One entry for each change in both environments; a key of preview reads the entries of preview only. Written in the transaction of the change; entries of other services arrive a moment later.',
  method: 'GET',
  path: '/audit-log',
  access: 'audit:read',
  role: 'admin',
  query: growingQuery
    .extend({
      action: z.string().max(100).optional().describe('this action only, like `template.activated`'),
      subject_kind: z.string().max(100).optional().describe('like `template`'),
      subject_id: z.string().max(255).optional(),
      user_id: id.optional().describe('changes on behalf of this user'),
      actor_id: z.string().max(255).optional().describe('changes by this key or session'),
      request_id: z
        .string()
        .min(1)
        .max(limits.requestId)
        .optional()
        .describe('changes that this request made'),
      environment: environmentSchema.optional(),
      from: momentQuery.optional().describe('changes at or after this moment'),
      to: momentQuery.optional().describe('changes before this moment'),
    })
    .superRefine(beginsOnce)
    .superRefine(endsLast),
  reply: growingListOf(auditRecord),
});

/** Most entries of one answer of an export. */
const maxExported = 1_000;

const exportedLines = z
  .object({
    data: z.array(auditRecord),
    next_cursor: z
      .string()
      .nullable()
      .describe('identifies the last entry of the answer; continues with the entries after it, now or later'),
    has_more: z.boolean().describe('whether more entries exist already'),
  })
  .meta({ id: 'AuditExport' });

/** Reads the audit log to its end, and continues later. */
export const exportAuditLog = httpOperation({
  id: 'export-audit-log',
  service: 'organization',
  summary: 'Export the audit log of both environments, in the order in which its entries were written',
  description:
    'Continue with the `next_cursor` of the previous answer: no entry is missed or repeated. An entry is returned about a second after it was written, once all changes that began before it have ended.',
  method: 'GET',
  path: '/audit-log/export',
  access: 'audit:read',
  role: 'admin',
  organizationWide: true,
  query: z
    .strictObject({
      cursor: logPlace
        .optional()
        .describe('`next_cursor` of the previous answer; default: from the oldest entry'),
      limit: optionalIntegerQuery(1, maxExported).describe('most entries of the answer'),
      count: integerQuery(1, maxExported, maxExported).describe('the old name of `limit`'),
      from: momentQuery.optional().describe('changes at or after this moment'),
      to: momentQuery.optional().describe('changes before this moment'),
    })
    .superRefine(endsLast),
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
    cursor: logPlace.optional(),
    count: z.int().min(1).max(maxExported).default(maxExported),
    from: momentQuery.optional(),
    to: momentQuery.optional(),
  }),
  reply: exportedLines,
  errors: ['organization_not_found'],
});

/** A seal of the audit log: it covers some entries, and every seal before it. */
export const auditSeal = z.object({
  number: z.int().min(1),
  previous_hash: z.string().nullable().describe('of the seal before; null for the first'),
  line_count: z.int().min(1),
  end: z.string().describe('the place of the last entry, as a cursor of the export'),
  lines_digest: z.string(),
  hash: z.string(),
  sealed_at: timestamp,
  forgotten_at: timestamp.nullable().describe('when its entries were deleted, past their retention'),
});

/** See {@link auditSeal}. */
export type AuditSeal = z.output<typeof auditSeal>;

/** The seals of an organization with the entries that each of them covers. */
export const readAuditChain = internalOperation({
  id: 'read-audit-chain',
  service: 'organization',
  readOnly: true,
  summary: 'Read the seals of the audit log of an organization, with the entries that they cover',
  callers: ['admin'],
  input: z.object({ organization_id: id, after: z.int().min(0).default(0).describe('number of a seal') }),
  reply: z.object({
    seals: z.array(auditSeal.extend({ lines: z.array(auditRecord) })),
    unsealed: z.int().describe('entries that are not yet covered'),
    is_late: z.boolean().describe('one of these was written more than ten minutes ago'),
    has_more: z.boolean(),
  }),
  errors: ['organization_not_found'],
});
