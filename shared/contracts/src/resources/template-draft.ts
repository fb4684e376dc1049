import { z } from 'zod';
import { limits } from '../limits.ts';
import { freeObject, id, timestamp } from './values.ts';

/** A text that may be unfinished: only its length is checked until the draft is saved. */
const unfinished = (characters: number) => z.string().max(characters).nullable().optional();

/** Metadata that the template is to have once the draft is saved; what is left out stays as it is. */
export const draftMetadata = z
  .strictObject({
    name: z.string().max(limits.name).optional(),
    description: unfinished(limits.description),
    type: z.string().max(limits.name).optional(),
    user_name: unfinished(limits.name),
    icon_emoji: unfinished(limits.name),
    fallback_text: unfinished(3000),
    locale: unfinished(limits.name),
    timezone: unfinished(limits.name),
    strict: z.boolean().optional(),
  })
  .describe('what saving changes of the template besides its blocks; what is left out stays as it is');

/** See {@link draftMetadata}. */
export type DraftMetadata = z.output<typeof draftMetadata>;

/** What is written into a draft. Its blocks may be wrong: it is work in progress. */
export const draftContent = {
  blocks: z
    .array(z.unknown())
    .max(limits.draftBlocks)
    .describe('blocks, which need not compile until the draft is saved')
    .meta({ examples: [[{ type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } }]] }),
  metadata: draftMetadata.default({}),
  sample_data: freeObject.nullable().default(null),
  base_version_id: id.nullable().default(null).describe('the version that the draft was begun from'),
};

/** The draft of a template: work in progress, which is never compiled for a message. */
export const templateDraft = z
  .object({
    template_id: id,
    blocks: z.array(z.unknown()),
    metadata: draftMetadata,
    sample_data: freeObject.nullable(),
    base_version_id: id.nullable().describe('the version that the draft was begun from'),
    revision: z.int().min(1).describe('one more with each change; never used again in the template'),
    updated_by: z.string().describe('the author of this revision'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'TemplateDraft' });

/** See {@link templateDraft}. */
export type TemplateDraft = z.output<typeof templateDraft>;

/** What a template tells of its draft. */
export const draftSummary = templateDraft
  .pick({ revision: true, updated_by: true, updated_at: true })
  .meta({ id: 'TemplateDraftSummary' });

/** See {@link draftSummary}. */
export type DraftSummary = z.output<typeof draftSummary>;
