import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation, internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { promotion } from '../resources/promotion.ts';
import { id, key } from '../resources/values.ts';

/** Copies templates from the other environment. */
export const promoteTemplates = httpOperation({
  id: 'promote-templates',
  service: 'template',
  summary: 'Copy templates with their entities and sample data from the other environment',
  description:
    'Templates are found by key: one that is not there is created, one whose content differs gets another version. The content is that of the live version, else of the newest one. Modals and destinations that the content names are replaced by those with the same key; where one is missing, nothing is written: 409 `promotion_unmapped` names each, and so does a dry run. All is written at once or not at all, and a repeated promotion changes nothing. A version that was live here before and was replaced since stays as it is with `activate` too (`activation_left`), so that a repeat undoes no rollback. A session reaches both environments. A key reaches one: the key of the other environment, with `templates:read`, goes into `X-Source-Authorization`, also where the request is repeated under its `Idempotency-Key`. Appending takes `templates:update` too, activating `templates:activate`; entities take `entities:read` there and `entities:write` here, sample data `sample-data:read` and `sample-data:write`.',
  method: 'POST',
  path: '/templates/promote',
  access: 'templates:create',
  authoring: true,
  idempotent: true,
  takesSource: 'templates:read',
  deadlineMs: 30_000,
  body: z.strictObject({
    from: environmentSchema.describe('the environment to copy from, which is not that of the request'),
    keys: z
      .array(key)
      .min(1)
      .max(limits.promotedTemplates)
      .refine((keys) => new Set(keys).size === keys.length, 'must name each template once'),
    note: z
      .string()
      .max(limits.note)
      .nullable()
      .optional()
      .describe('of the versions and activations; left out, that of each version'),
    activate: z.boolean().default(false).describe('makes each version live, with its metadata'),
    accept_breaks: z
      .boolean()
      .optional()
      .describe('as in the activation of a version: whether stored data may break'),
    dry_run: z.boolean().default(false).describe('shows what would be done, and does nothing'),
  }),
  reply: promotion,
  errors: [
    'activation_refused',
    'template_not_found',
    'compilation_failed',
    'already_exists',
    'promotion_unmapped',
    'activation_breaks',
    'invalid_state',
    'tier_limit',
  ],
  example: { from: 'preview', keys: ['deploy-alert'], note: 'shorter header' },
});

const across = {
  organization_id: id,
  environment: environmentSchema.describe('where the ids are from'),
  to: environmentSchema,
};

/** Finds what has the same keys in the other environment. */
export const matchDestinations = internalOperation({
  id: 'match-destinations',
  service: 'delivery',
  readOnly: true,
  summary: 'Find the destinations with the same keys in the other environment',
  callers: ['template'],
  input: z.object({ ...across, ids: z.array(id) }),
  reply: z.object({
    matches: z
      .array(z.object({ id, key, match: id.nullable() }))
      .describe('without ids that name no destination; `match` is null where none has the key'),
  }),
});

/** Finds the queues of templates, and which of them the other environment has. */
export const matchQueues = internalOperation({
  id: 'match-queues',
  service: 'queue-ingest',
  readOnly: true,
  summary: 'Find the active queues of templates, and those with the same keys in the other environment',
  callers: ['template'],
  input: z.object({ ...across, template_ids: z.array(id) }),
  reply: z.object({
    queues: z.array(z.object({ id, key, name: z.string(), template_id: id, match: id.nullable() })),
  }),
});
