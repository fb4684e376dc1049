import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { activationGuards } from '../resources/activation-guards.ts';
import {
  partialActivation,
  partialDiff,
  partialExampleBlocks,
  partialVersion,
  partialVersionSummary,
} from '../resources/partial.ts';
import { beginsOnce, blocks, freeObject, growingListOf, growingQuery, id } from '../resources/values.ts';

const note = z.string().max(limits.note);
const byId = z.strictObject({ id });
const byVersion = z.strictObject({ id, version_id: id });
const { expected_current_version_id, note: activationNote } = activationGuards;

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
  example: { blocks: partialExampleBlocks, note: 'names the team' },
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
  query: growingQuery.superRefine(beginsOnce),
  reply: growingListOf(partialVersionSummary),
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
  query: growingQuery.superRefine(beginsOnce),
  reply: growingListOf(partialActivation),
  errors: ['partial_not_found'],
});
