import { z } from 'zod';
import { httpOperation } from '../operation.ts';
import { blocks, id } from '../resources/values.ts';
import { blockDiff } from '../resources/version-diff.ts';

const given = ['blocks', 'draft', 'version_id'] as const;

/** Compares blocks, the draft or a version with a version. */
export const diffTemplate = httpOperation({
  id: 'diff-template',
  service: 'template',
  readOnly: true,
  summary: 'Compare blocks, the draft or a version with a version, block by block',
  description:
    'Takes exactly one of `blocks`, `draft` and `version_id`. Blocks are matched by id, else by content. Ids that were filled in when a version was saved count as equal. Nothing is compiled, so that blocks with problems are compared too.',
  method: 'POST',
  path: '/templates/{id}/diff',
  access: 'templates:read',
  ownRate: 'preview',
  params: z.strictObject({ id }),
  body: z
    .strictObject({
      blocks: blocks.optional(),
      draft: z.literal(true).optional().describe('the draft of the template'),
      version_id: id.optional().describe('a version of the template'),
      against: id
        .optional()
        .describe('the version to compare with: what was before; left out, the live version'),
    })
    .superRefine((body, context) => {
      if (given.filter((name) => body[name] !== undefined).length === 1) return;
      const message = 'give exactly one of blocks, draft and version_id';
      context.addIssue({ code: 'custom', path: ['blocks'], message });
    })
    .meta({ oneOf: given.map((name) => ({ required: [name] })) }),
  reply: blockDiff
    .extend({
      template_id: id,
      version_id: id.nullable().describe('the version that was compared; null for blocks and the draft'),
      version_number: z.int().nullable(),
      draft_revision: z.int().nullable().describe('the revision of the draft that was compared'),
      against: z.object({ version_id: id, version_number: z.int() }),
    })
    .meta({ id: 'TemplateDiff' }),
  errors: ['template_not_found', 'version_not_found', 'not_found', 'compilation_failed'],
  example: { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } }] },
});
