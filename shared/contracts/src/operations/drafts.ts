import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { entityKey, isOneEntityAtMost } from '../resources/entity-reference.ts';
import { templateVersion } from '../resources/template.ts';
import { draftContent, templateDraft } from '../resources/template-draft.ts';
import { deleted, id, optionalIntegerQuery } from '../resources/values.ts';

const byId = z.strictObject({ id });

const expectedRevision = z
  .int()
  .min(1)
  .nullable()
  .optional()
  .describe(
    'the revision that you have read; null for no draft. If it is another: 409 draft_changed. Left out, nothing is compared',
  );

/** Reads the draft of a template. */
export const getTemplateDraft = httpOperation({
  id: 'get-template-draft',
  service: 'template',
  summary: 'Read the draft of a template',
  method: 'GET',
  path: '/templates/{id}/draft',
  access: 'templates:read',
  params: byId,
  reply: templateDraft,
  errors: ['template_not_found', 'not_found'],
});

/** Writes the draft of a template. */
export const putTemplateDraft = httpOperation({
  id: 'put-template-draft',
  service: 'template',
  summary: 'Write the draft of a template',
  description:
    'A template has one draft, shared by all who edit it. It is replaced as a whole and may hold blocks that do not compile; no compile or send ever uses it. The same content again changes nothing and keeps the revision.',
  method: 'PUT',
  path: '/templates/{id}/draft',
  access: 'templates:update',
  params: byId,
  body: z.strictObject({ ...draftContent, expected_revision: expectedRevision }),
  reply: templateDraft,
  errors: ['template_not_found', 'version_not_found', 'draft_changed', 'tier_limit'],
  example: {
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } }],
    metadata: { fallback_text: 'Deploy of {{version}}' },
    sample_data: { version: '1.4.2' },
  },
});

/** Discards the draft of a template. */
export const deleteTemplateDraft = httpOperation({
  id: 'delete-template-draft',
  service: 'template',
  summary: 'Discard the draft of a template',
  method: 'DELETE',
  path: '/templates/{id}/draft',
  access: 'templates:update',
  params: byId,
  query: z.strictObject({
    expected_revision: optionalIntegerQuery(1, 999_999_999).describe(
      'the revision that you have read. If it is another: 409 draft_changed',
    ),
  }),
  reply: deleted,
  errors: ['template_not_found', 'not_found', 'draft_changed'],
});

/** Makes the draft of a template a version. */
export const saveTemplateDraft = httpOperation({
  id: 'save-template-draft',
  service: 'template',
  summary: 'Make the draft of a template its next version',
  description:
    'The version is not live, and what a new version is refused for is refused here. The metadata of the draft becomes that of the template at once, and so of the messages of its live version, unless `keep_settings` leaves these settings; the draft is gone. Saved again, the answer is the version that was made.',
  method: 'POST',
  path: '/templates/{id}/draft/save',
  access: 'templates:update',
  authoring: true,
  status: 201,
  params: byId,
  body: z
    .strictObject({
      expected_revision: z
        .int()
        .min(1)
        .optional()
        .describe('the revision that you have read. If it is another: 409 draft_changed'),
      entity_id: id
        .nullable()
        .optional()
        .describe('the entity that describes its data; left out, that of the version it was begun from'),
      entity_key: entityKey,
      note: z.string().max(limits.note).nullable().optional(),
      keep_settings: z
        .boolean()
        .optional()
        .describe(
          'leaves `strict`, `locale`, `timezone`, `fallback_text`, `user_name` and `icon_emoji` of the template as they are, which messages of the live version are made with',
        ),
    })
    .superRefine(isOneEntityAtMost)
    .default({}),
  reply: templateVersion,
  errors: [
    'template_not_found',
    'not_found',
    'entity_not_found',
    'compilation_failed',
    'draft_changed',
    'activation_refused',
    'tier_limit',
  ],
  example: { note: 'shorter header' },
});
