import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation, internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { activationGuards } from '../resources/activation-guards.ts';
import { problem } from '../resources/message.ts';
import {
  listedPartial,
  partial,
  partialExampleBlocks,
  partialImpact,
  partialUser,
  partialVersion,
  rollOut,
} from '../resources/partial.ts';
import { lifecycleChange, lifecycles } from '../resources/template.ts';
import {
  block,
  blocks,
  deleted,
  description,
  freeObject,
  id,
  key,
  keyQuery,
  listOf,
  name,
  newKey,
  pageQuery,
  sorts,
} from '../resources/values.ts';

const byId = z.strictObject({ id });

/** Creates a partial and its first version, which is not live. */
export const createPartial = httpOperation({
  id: 'create-partial',
  service: 'template',
  summary: 'Create a partial and its version 1',
  description:
    'Blocks that templates share. A template names it by key: `{"type": "directive", "directive": "#use", "partial": "footer", "with": {"author": "user.name"}}`. Templates use it once a version is live. It counts as a template to the limits of the tier.',
  method: 'POST',
  path: '/partials',
  access: 'templates:create',
  idempotent: true,
  authoring: true,
  status: 201,
  body: z.strictObject({
    name,
    key: newKey,
    description: description.nullable().optional(),
    blocks,
    sample_data: freeObject.optional(),
  }),
  reply: partial.extend({ version: partialVersion }),
  errors: ['compilation_failed', 'already_exists', 'tier_limit'],
  example: { name: 'Footer', blocks: partialExampleBlocks, sample_data: { author: 'Ada', team: 'Core' } },
});

/** Lists partials. */
export const listPartials = httpOperation({
  id: 'list-partials',
  service: 'template',
  summary: 'List partials, newest first',
  method: 'GET',
  path: '/partials',
  access: 'templates:read',
  entityTag: {},
  query: pageQuery.extend({
    key: keyQuery,
    lifecycle: z.enum(lifecycles).optional(),
    q: z.string().min(1).max(limits.name).optional().describe('part of the name, in any case'),
    sort: sorts,
  }),
  reply: listOf(listedPartial),
});

/** Reads one partial with its live version. */
export const getPartial = httpOperation({
  id: 'get-partial',
  service: 'template',
  summary: 'Read a partial and its live version',
  method: 'GET',
  path: '/partials/{id}',
  access: 'templates:read',
  entityTag: { without: ['current_version'] },
  params: byId,
  reply: partial.extend({ current_version: partialVersion.nullable() }),
  errors: ['partial_not_found'],
});

/** Changes what a partial says of itself. */
export const updatePartial = httpOperation({
  id: 'update-partial',
  service: 'template',
  summary: 'Change the name, the description or the key of a partial',
  description: 'Absent fields keep their values. Blocks are changed by a new version.',
  method: 'PATCH',
  path: '/partials/{id}',
  access: 'templates:update',
  entityTag: { without: ['current_version'] },
  authoring: true,
  params: byId,
  body: z.strictObject({
    name: name.optional(),
    key: key.optional().describe('until a version has been live: then 409 invalid_state'),
    description: description.nullable().optional(),
  }),
  reply: partial,
  errors: ['partial_not_found', 'already_exists', 'invalid_state'],
  example: { name: 'Footer', description: 'who sent it' },
});

/** Takes a partial out of service. */
export const archivePartial = httpOperation({
  id: 'archive-partial',
  service: 'template',
  summary: 'Take a partial out of service',
  description:
    'No template can begin to use it until it is unarchived. Templates that use it stay as they are, since each holds the blocks of a version.',
  method: 'POST',
  path: '/partials/{id}/archive',
  access: 'templates:update',
  params: byId,
  reply: lifecycleChange,
  errors: ['partial_not_found'],
});

/** Takes an archived partial back into service. */
export const unarchivePartial = httpOperation({
  id: 'unarchive-partial',
  service: 'template',
  summary: 'Take an archived partial back into service',
  method: 'POST',
  path: '/partials/{id}/unarchive',
  access: 'templates:update',
  params: byId,
  reply: lifecycleChange,
  errors: ['partial_not_found', 'activation_refused'],
});

/** Deletes an archived partial. */
export const deletePartial = httpOperation({
  id: 'delete-partial',
  service: 'template',
  summary: 'Delete an archived partial for good',
  description:
    'With its versions and activations. Refused while it is in service, and while the live or the newest version of a template or of another partial uses it.',
  method: 'DELETE',
  path: '/partials/{id}',
  access: 'templates:delete',
  params: byId,
  reply: deleted,
  errors: ['partial_not_found', 'invalid_state'],
});

/** Lists what uses a partial. */
export const getPartialUse = httpOperation({
  id: 'get-partial-use',
  service: 'template',
  summary: 'See which templates and partials use a partial, and which version of it each holds',
  method: 'GET',
  path: '/partials/{id}/use',
  access: 'templates:read',
  params: byId,
  query: pageQuery,
  reply: listOf(partialUser),
  errors: ['partial_not_found'],
});

/** Reports what a version of a partial would do to the templates that use it. */
export const getPartialImpact = httpOperation({
  id: 'get-partial-impact',
  service: 'template',
  readOnly: true,
  summary: 'See what rolling out a version of a partial, or blocks, would change and break',
  description:
    'Puts it into the live version of each template that uses the partial, and compiles the data that is stored for the template. The work is bounded; `not_looked_at` counts the templates that were left out.',
  method: 'POST',
  path: '/partials/{id}/impact',
  access: 'messages:preview',
  authoring: true,
  deadlineMs: 12_000,
  params: byId,
  body: z
    .strictObject({
      version_id: id.optional().describe('of the partial'),
      blocks: blocks.optional().describe('in place of a version'),
    })
    .superRefine(({ version_id, blocks: given }, context) => {
      if ((version_id === undefined) !== (given === undefined)) return;
      context.addIssue({ code: 'custom', path: ['version_id'], message: 'give either version_id or blocks' });
    })
    .meta({ oneOf: [{ required: ['version_id'] }, { required: ['blocks'] }] }),
  reply: partialImpact,
  errors: ['partial_not_found', 'version_not_found', 'compilation_failed'],
  example: { blocks: partialExampleBlocks },
});

/** Makes new versions of what uses a partial. */
export const rollOutPartial = httpOperation({
  id: 'roll-out-partial',
  service: 'template',
  summary: 'Make a new version of each template that uses a partial, with its live version',
  description:
    'Each new version is the live version of the template, else its newest one, with the live version of the partial in it; partials that use it get one too. It is not live unless `activate` says so, which takes `templates:activate` too: then what guards an activation guards each, and where the policy `activation` of the organization refuses the caller, the version is proposed. `activate` leaves alone what has no live version, and a version that was live before and was replaced since the partial was made live, so that it undoes no rollback. Each template is done by itself, and `results` says what became of it. What has such a version already gets no other, so the request may be repeated. What is archived is left out unless it is named.',
  method: 'POST',
  path: '/partials/{id}/roll-out',
  access: 'templates:update',
  authoring: true,
  deadlineMs: 30_000,
  params: byId,
  body: z
    .strictObject({
      template_keys: z
        .array(key)
        .min(1)
        .max(limits.rolledOutTemplates)
        .optional()
        .describe('only these; left out, all that use it'),
      activate: z.boolean().default(false).describe('makes new versions live where one is live'),
      accept_breaks: activationGuards.accept_breaks,
      note: activationGuards.note,
    })
    .default({ activate: false }),
  reply: rollOut,
  errors: ['partial_not_found', 'version_not_found', 'invalid_state'],
  example: { activate: false, note: 'new footer' },
});

/** Puts the blocks of partials in place of the entries that name them. */
export const expandBlocks = internalOperation({
  id: 'expand-blocks',
  service: 'template',
  readOnly: true,
  summary: 'Put the blocks of partials in place of the entries that name them',
  callers: ['compile'],
  input: z.object({ organization_id: id, environment: environmentSchema, blocks: z.array(block) }),
  reply: z.object({ blocks: z.array(block), problems: z.array(problem) }),
});
