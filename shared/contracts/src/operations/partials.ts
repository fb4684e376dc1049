import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation, internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { activationGuards } from '../resources/activation-guards.ts';
import { problem } from '../resources/message.ts';
import {
  partial,
  partialActivation,
  partialDiff,
  partialImpact,
  partialUser,
  partialVersion,
  partialVersionSummary,
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

const exampleBlocks = [
  { type: 'divider' },
  {
    type: 'context',
    elements: [{ type: 'mrkdwn', text: 'Sent by {{author}}, team {{team | default:"none"}}' }],
  },
];

const note = z.string().max(limits.note);
const byId = z.strictObject({ id });
const byVersion = z.strictObject({ id, version_id: id });
const { expected_current_version_id, note: activationNote } = activationGuards;

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
  example: { name: 'Footer', blocks: exampleBlocks, sample_data: { author: 'Ada', team: 'Core' } },
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
  reply: listOf(partial),
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

/** Appends a version, which is not live. */
export const appendPartialVersion = httpOperation({
  id: 'append-partial-version',
  service: 'template',
  summary: 'Append a version to a partial',
  description: 'Versions are immutable and numbered 1, 2, 3; a new one is never live on creation.',
  method: 'POST',
  path: '/partials/{id}/versions',
  access: 'templates:update',
  idempotent: true,
  authoring: true,
  status: 201,
  params: byId,
  body: z.strictObject({ blocks, sample_data: freeObject.optional(), note: note.nullable().optional() }),
  reply: partialVersion,
  errors: ['compilation_failed', 'partial_not_found', 'tier_limit'],
  example: { blocks: exampleBlocks, note: 'names the team' },
});

/** Lists the versions of a partial. */
export const listPartialVersions = httpOperation({
  id: 'list-partial-versions',
  service: 'template',
  summary: 'List the versions of a partial, newest first',
  method: 'GET',
  path: '/partials/{id}/versions',
  access: 'templates:read',
  entityTag: {},
  params: byId,
  query: pageQuery,
  reply: listOf(partialVersionSummary),
  errors: ['partial_not_found'],
});

/** Reads one version. */
export const getPartialVersion = httpOperation({
  id: 'get-partial-version',
  service: 'template',
  summary: 'Read one version of a partial',
  method: 'GET',
  path: '/partials/{id}/versions/{version_id}',
  access: 'templates:read',
  entityTag: {},
  params: byVersion,
  reply: partialVersion,
  errors: ['partial_not_found', 'version_not_found'],
});

/** Compares two versions. */
export const diffPartialVersions = httpOperation({
  id: 'diff-partial-versions',
  service: 'template',
  summary: 'Compare a version of a partial with another one, block by block',
  method: 'GET',
  path: '/partials/{id}/versions/{version_id}/diff',
  access: 'templates:read',
  params: byVersion,
  query: z.strictObject({ against: id.describe('the version to compare with: what was before') }),
  reply: partialDiff,
  errors: ['partial_not_found', 'version_not_found'],
});

/** Makes a version live. */
export const activatePartialVersion = httpOperation({
  id: 'activate-partial-version',
  service: 'template',
  summary: 'Make a version of a partial the live one',
  description:
    'Templates that are saved from now on take it. Those that use the partial already keep the version that they hold; `POST /v1/partials/{id}/roll-out` makes new versions of them.',
  method: 'POST',
  path: '/partials/{id}/versions/{version_id}/activate',
  access: 'templates:activate',
  authoring: true,
  params: byVersion,
  body: z.strictObject({ expected_current_version_id, note: activationNote }).default({}),
  reply: partialVersion,
  errors: [
    'partial_not_found',
    'version_not_found',
    'current_version_changed',
    'activation_refused',
    'compilation_failed',
    'invalid_state',
  ],
  example: { note: 'names the team' },
});

/** Lists every change of which version is live. */
export const listPartialActivations = httpOperation({
  id: 'list-partial-activations',
  service: 'template',
  summary: 'List the activations of a partial, newest first',
  method: 'GET',
  path: '/partials/{id}/activations',
  access: 'templates:read',
  params: byId,
  query: pageQuery,
  reply: listOf(partialActivation),
  errors: ['partial_not_found'],
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
  example: { blocks: exampleBlocks },
});

/** Makes new versions of what uses a partial. */
export const rollOutPartial = httpOperation({
  id: 'roll-out-partial',
  service: 'template',
  summary: 'Make a new version of each template that uses a partial, with its live version',
  description:
    'Each new version is the live version of the template, else its newest one, with the live version of the partial in it; partials that use it get one too. It is not live unless `activate` says so, which takes `templates:activate` too: then what guards an activation guards each, and where the policy `activation` of the organization refuses the caller, the version is proposed. Each template is done by itself, and `results` says what became of it. What has such a version already gets no other, so the request may be repeated.',
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
      activate: z.boolean().default(false).describe('makes each new version live'),
      accept_breaks: activationGuards.accept_breaks,
      note: activationNote,
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
