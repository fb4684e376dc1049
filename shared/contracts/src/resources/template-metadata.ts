import { z } from 'zod';
import { locale, timezone } from './locale.ts';
import { blocks, description, freeObject, name } from './values.ts';

/** A label by which templates are filtered. */
export const templateType = z.string().min(1).max(64);

/** What a template says of itself; its blocks are its versions'. */
export const templateMetadata = {
  description: description.nullable().optional(),
  user_name: z
    .string()
    .min(1)
    .max(80)
    .refine((text) => !text.includes('{{'), 'is fixed text: no placeholder is filled in there')
    .nullable()
    .optional(),
  icon_emoji: z
    .string()
    .regex(/^:[A-Za-z0-9_+'-]{1,100}:$/, 'must look like :rocket:')
    .nullable()
    .optional(),
  fallback_text: z.string().max(3000).nullable().optional(),
  locale: locale.nullable().optional().describe('BCP 47, used where a request names none'),
  timezone: timezone.nullable().optional().describe('IANA name, used where a request names none'),
  strict: z
    .boolean()
    .optional()
    .describe('a missing value is an error where a request does not say; default false'),
};

/** The metadata that a draft would change, as the template takes it. */
export const savedMetadata = z.strictObject({
  name: name.optional(),
  type: templateType.optional(),
  ...templateMetadata,
});

/** The content of a new version that a draft becomes. */
export const versionContent = z.strictObject({ blocks, sample_data: freeObject.optional() });
