import { z } from 'zod';
import { block, freeObject, id, key, timestamp } from './values.ts';

/** Whether a template is in service. */
export const lifecycles = ['active', 'archived'] as const;

/** One immutable version of a template. */
export const templateVersion = z
  .object({
    id,
    template_id: id,
    version_number: z.int().min(1).describe('1, 2, 3 … within the template'),
    blocks: z.array(block),
    sample_data: freeObject.nullable(),
    request_format: z.record(z.string(), z.null()).describe('every path that the version reads, flat'),
    entity_id: id.nullable().describe('the entity that describes its data'),
    note: z.string().nullable(),
    status: z.enum(['draft', 'active', 'inactive']).describe('never live, live, live before'),
    is_current: z.boolean(),
    created_by: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'TemplateVersion' });

/** See {@link templateVersion}. */
export type TemplateVersion = z.output<typeof templateVersion>;

/** A version in a list: everything but its content. */
export const templateVersionSummary = templateVersion
  .omit({ blocks: true, sample_data: true, request_format: true })
  .meta({ id: 'TemplateVersionSummary' });

/** See {@link templateVersionSummary}. */
export type TemplateVersionSummary = z.output<typeof templateVersionSummary>;

/** A template: its metadata and which version is live. */
export const template = z
  .object({
    id,
    organization_id: id,
    key: key.describe('names it for programs; the same template has the same key in every environment'),
    name: z.string(),
    description: z.string().nullable(),
    type: z.string(),
    user_name: z.string().nullable().describe('name under which its messages are posted'),
    icon_emoji: z.string().nullable().describe('icon of its messages, like `:rocket:`'),
    fallback_text: z.string().nullable().describe('notification text; may hold placeholders'),
    locale: z.string().nullable().describe('BCP 47, of numbers and dates where a request names none'),
    timezone: z.string().nullable().describe('IANA name, where a request names none'),
    strict: z.boolean().describe('whether a missing value is an error where a request does not say'),
    // During an upgrade, a template service of the previous version leaves it out.
    agent_sends: z.boolean().optional().describe('whether agents get a tool that sends its live version'),
    lifecycle: z.enum(lifecycles),
    current_version_id: id.nullable().describe('the live version'),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    archived_at: timestamp.nullable(),
  })
  .meta({ id: 'Template' });

/** See {@link template}. */
export type Template = z.output<typeof template>;

/** A template in a list. */
export const listedTemplate = template
  .extend({
    // During an upgrade, a template service of the previous version leaves it out.
    newest_version: templateVersionSummary
      .optional()
      .describe('its newest version, which may be the live one'),
  })
  .meta({ id: 'ListedTemplate' });

/** See {@link listedTemplate}. */
export type ListedTemplate = z.output<typeof listedTemplate>;

/** A change of which version is live. */
export const activation = z
  .object({
    id,
    template_id: id,
    version_id: id,
    version_number: z.int(),
    previous_version_id: id.optional(),
    activated_by: z.string(),
    source: z.enum(['web', 'api', 'migration']),
    note: z.string().optional(),
    created_at: timestamp,
  })
  .meta({ id: 'TemplateActivation' });

/** See {@link activation}. */
export type Activation = z.output<typeof activation>;

/** The result of archiving a template, or of taking it back into service. */
export const lifecycleChange = z
  .object({
    id,
    lifecycle: z.enum(lifecycles),
    archived_at: timestamp.optional().describe('when it was archived last; absent where it never was'),
    changed: z.boolean().describe('false when it was so before'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('what is gone of what the live version of an unarchived template opens'),
  })
  .meta({ id: 'LifecycleChange' });

/** See {@link lifecycleChange}. */
export type LifecycleChange = z.output<typeof lifecycleChange>;
