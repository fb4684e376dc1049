import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { activationGuards } from '../resources/activation-guards.ts';
import { entityKey, isOneEntityAtMost } from '../resources/entity-reference.ts';
import {
  activation,
  lifecycleChange,
  lifecycles,
  listedTemplate,
  template,
  templateVersion,
  templateVersionSummary,
} from '../resources/template.ts';
import { draftSummary } from '../resources/template-draft.ts';
import { templateMetadata as metadata, templateType as type } from '../resources/template-metadata.ts';
import {
  beginsOnce,
  blocks,
  deleted,
  description,
  freeObject,
  growingListOf,
  growingQuery,
  id,
  key,
  keyQuery,
  listOf,
  name,
  newKey,
  pageQuery,
  sorts,
} from '../resources/values.ts';
import { versionDiff } from '../resources/version-diff.ts';

const exampleBlocks = [
  { type: 'header', text: { type: 'plain_text', text: 'Deploy of {{service}}' } },
  { type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live, by {{author.name}}.' } },
];

const note = z.string().max(limits.note);
const byId = z.strictObject({ id });
const byVersion = z.strictObject({ id, version_id: id });

const entityId = id.nullable().optional().describe('the entity that describes its data');

const createdTemplate = template.extend({ version: templateVersion }).meta({ id: 'CreatedTemplate' });

/** Creates a template and its first version, which is not live. */
export const createTemplate = httpOperation({
  id: 'create-template',
  service: 'template',
  summary: 'Create a template and its version 1',
  description: 'The version is never live on creation: activate it. Omitted block and action ids are filled.',
  method: 'POST',
  path: '/templates',
  access: 'templates:create',
  idempotent: true,
  authoring: true,
  status: 201,
  body: z
    .strictObject({
      name,
      key: newKey,
      type: type.default('message').describe('a label of your own to filter by'),
      ...metadata,
      blocks,
      sample_data: freeObject.optional(),
      entity_id: entityId,
      entity_key: entityKey,
    })
    .superRefine(isOneEntityAtMost),
  reply: createdTemplate,
  errors: ['compilation_failed', 'entity_not_found', 'already_exists', 'tier_limit'],
  example: { name: 'Deploy alert', blocks: exampleBlocks, sample_data: { service: 'api', version: '1.4.2' } },
});

/** Copies a template with the content of its live version. */
export const duplicateTemplate = httpOperation({
  id: 'duplicate-template',
  service: 'template',
  summary: 'Copy a template with the content of its live version under a new name',
  description:
    'Version 1 of the copy has the content of the live version, or of the newest one where none is live, and is a draft: activating it is a request of its own. It takes `templates:read` too, since the answer shows the content. The copy keeps the metadata that the request leaves out; versions, activations and saved sample data stay with the template.',
  method: 'POST',
  path: '/templates/{id}/duplicate',
  access: 'templates:create',
  authoring: true,
  status: 201,
  params: byId,
  body: z.strictObject({
    name,
    key: newKey,
    description: description.nullable().optional().describe("left out, the template's own"),
  }),
  reply: createdTemplate,
  errors: ['template_not_found', 'already_exists', 'tier_limit'],
  example: { name: 'Deploy alert for staging' },
});

/** Lists templates. */
export const listTemplates = httpOperation({
  id: 'list-templates',
  service: 'template',
  summary: 'List templates, newest first',
  method: 'GET',
  path: '/templates',
  access: 'templates:read',
  entityTag: {},
  query: pageQuery.extend({
    key: keyQuery,
    lifecycle: z.enum(lifecycles).optional(),
    type: type.optional(),
    live: z.enum(['true', 'false']).optional().describe('true: only those with a live version'),
    opens_modal: id.optional().describe('those whose live version opens it'),
    agent_sends: z.enum(['true', 'false']).optional().describe('true: only those that agents may send'),
    q: z.string().min(1).max(limits.name).optional().describe('part of the name, in any case'),
    sort: sorts,
  }),
  reply: listOf(listedTemplate),
  legacyListKey: 'templates',
});

/** Reads one template with its live version. */
export const getTemplate = httpOperation({
  id: 'get-template',
  service: 'template',
  summary: 'Read a template and its live version',
  method: 'GET',
  path: '/templates/{id}',
  access: 'templates:read',
  entityTag: { without: ['current_version', 'draft'] },
  params: byId,
  reply: template.extend({
    current_version: templateVersion.nullable(),
    // During an upgrade, a template service of the previous version leaves it out.
    draft: draftSummary
      .nullable()
      .default(null)
      .describe('its draft without the content; null for none. The entity tag says nothing of it'),
  }),
  errors: ['template_not_found'],
});

/** Switches whether agents get a tool that sends a template. */
export const setAgentSends = httpOperation({
  id: 'set-agent-sends',
  service: 'template',
  summary: 'Switch whether agents get a tool that sends a template',
  description:
    'While it is on, `/mcp` offers the live version as the tool `send_<key>`, to agents whose scopes allow a send. Another live version leaves it as it is; it is off in a new template, a copy and the other environment.',
  method: 'PUT',
  path: '/templates/{id}/agent-sends',
  access: 'connections:write',
  role: 'admin',
  params: byId,
  body: z.strictObject({ enabled: z.boolean() }),
  reply: template,
  errors: ['template_not_found'],
  example: { enabled: true },
});

/** Changes what a template says of itself. */
export const updateTemplate = httpOperation({
  id: 'update-template',
  service: 'template',
  summary: 'Change the metadata of a template',
  description:
    'Absent fields keep their values; null removes a value. Blocks are changed by a new version. The fallback text and the locale are compiled with the live version, else the newest one, before they are saved.',
  method: 'PATCH',
  path: '/templates/{id}',
  access: 'templates:update',
  entityTag: { without: ['current_version'] },
  authoring: true,
  params: byId,
  body: z.strictObject({
    name: name.optional(),
    key: key.optional().describe('until a version has been live: then 409 invalid_state'),
    type: type.optional(),
    ...metadata,
  }),
  reply: template,
  errors: [
    'template_not_found',
    'compilation_failed',
    'already_exists',
    'invalid_state',
    'activation_refused',
  ],
  example: { name: 'Deploy alert', fallback_text: 'Deploy of {{service}}', timezone: 'Europe/Berlin' },
});

/** Takes a template out of service. */
export const archiveTemplate = httpOperation({
  id: 'archive-template',
  service: 'template',
  summary: 'Take a template out of service',
  description:
    'It can neither be compiled nor sent until it is unarchived; its versions stay. Archiving an archived template changes nothing.',
  method: 'POST',
  path: '/templates/{id}/archive',
  access: 'templates:update',
  params: byId,
  reply: lifecycleChange,
  errors: ['template_not_found'],
});

/** Takes an archived template back into service. */
export const unarchiveTemplate = httpOperation({
  id: 'unarchive-template',
  service: 'template',
  summary: 'Take an archived template back into service',
  description:
    'Versions and the live version are as they were. A template with a live version is guarded by the policy `activation` of the organization, as an activation is. On an active template it changes nothing.',
  method: 'POST',
  path: '/templates/{id}/unarchive',
  access: 'templates:update',
  params: byId,
  reply: lifecycleChange,
  errors: ['template_not_found', 'activation_refused'],
});

/** Deletes an archived template. */
export const deleteTemplate = httpOperation({
  id: 'delete-template',
  service: 'template',
  summary: 'Delete an archived template for good',
  description:
    'With its versions and activations. Refused while the template is in service, or while something refers to it: a queue, for one.',
  method: 'DELETE',
  path: '/templates/{id}',
  access: 'templates:delete',
  params: byId,
  reply: deleted,
  errors: ['template_not_found', 'invalid_state'],
});

/** Appends a version, which is not live. */
export const appendTemplateVersion = httpOperation({
  id: 'append-template-version',
  service: 'template',
  summary: 'Append a version to a template',
  description: 'Versions are immutable and numbered 1, 2, 3; a new one is never live on creation.',
  method: 'POST',
  path: '/templates/{id}/versions',
  access: 'templates:update',
  idempotent: true,
  authoring: true,
  status: 201,
  params: byId,
  body: z
    .strictObject({
      blocks,
      sample_data: freeObject.optional(),
      entity_id: entityId,
      entity_key: entityKey,
      note: note.nullable().optional(),
    })
    .superRefine(isOneEntityAtMost),
  reply: templateVersion,
  errors: ['compilation_failed', 'template_not_found', 'entity_not_found', 'tier_limit'],
  example: { blocks: exampleBlocks, note: 'shorter header' },
});

/** Lists the versions of a template. */
export const listTemplateVersions = httpOperation({
  id: 'list-template-versions',
  service: 'template',
  summary: 'List the versions of a template, newest first',
  method: 'GET',
  path: '/templates/{id}/versions',
  access: 'templates:read',
  entityTag: {},
  params: byId,
  query: growingQuery.superRefine(beginsOnce),
  reply: growingListOf(templateVersionSummary),
  legacyListKey: 'versions',
  errors: ['template_not_found'],
});

/** Reads one version. */
export const getTemplateVersion = httpOperation({
  id: 'get-template-version',
  service: 'template',
  summary: 'Read one version of a template',
  method: 'GET',
  path: '/templates/{id}/versions/{version_id}',
  access: 'templates:read',
  entityTag: {},
  params: byVersion,
  reply: templateVersion,
  errors: ['template_not_found', 'version_not_found'],
});

/** Compares two versions. */
export const diffTemplateVersions = httpOperation({
  id: 'diff-template-versions',
  service: 'template',
  summary: 'Compare a version with another one, block by block',
  description:
    'Blocks are matched by id, else by content. Ids that were filled in when a version was saved count as equal.',
  method: 'GET',
  path: '/templates/{id}/versions/{version_id}/diff',
  access: 'templates:read',
  params: byVersion,
  query: z.strictObject({ against: id.describe('the version to compare with: what was before') }),
  reply: versionDiff,
  errors: ['template_not_found', 'version_not_found'],
});

/** Makes a version live. */
export const activateTemplateVersion = httpOperation({
  id: 'activate-template-version',
  service: 'template',
  summary: 'Make a version the live one',
  description:
    'Sends and compiles that start after the answer use it. Activating the live version changes nothing.',
  method: 'POST',
  path: '/templates/{id}/versions/{version_id}/activate',
  access: 'templates:activate',
  authoring: true,
  deadlineMs: 12_000,
  params: byVersion,
  body: z.strictObject(activationGuards).default({}),
  reply: templateVersion,
  errors: [
    'template_not_found',
    'version_not_found',
    'current_version_changed',
    'activation_breaks',
    'activation_refused',
    'compilation_failed',
    'invalid_state',
  ],
  example: { note: 'shorter header' },
});

/** Lists every change of which version is live. */
export const listTemplateActivations = httpOperation({
  id: 'list-template-activations',
  service: 'template',
  summary: 'List the activations of a template, newest first',
  method: 'GET',
  path: '/templates/{id}/activations',
  access: 'templates:read',
  params: byId,
  query: growingQuery.superRefine(beginsOnce),
  reply: growingListOf(activation).extend({ total: z.int(), limit: z.int(), offset: z.int() }),
  errors: ['template_not_found'],
});
