import { z } from 'zod';
import { type FieldType, fieldTypes } from './entity.ts';
import { freeObject } from './values.ts';

/**
 * One value that a template reads; objects have fields, lists what their items are, objects that are looped over their
 * values.
 */
export interface InputField {
  name: string;
  path: string;
  label: string;
  type: FieldType;
  required: boolean;
  description?: string | undefined;
  example?: unknown;
  fields?: InputField[] | undefined;
  items?: InputField | undefined;
}

/** See {@link InputField}. */
export const inputField: z.ZodType<InputField, InputField> = z
  .object({
    name: z.string(),
    path: z
      .string()
      .describe(
        'path that the template reads, as placeholders write it; items of a list, and values of an object that a loop goes over, are `items[]`',
      ),
    label: z.string(),
    type: z.enum(fieldTypes).describe('by the entity, else by the sample data, else by how it is read'),
    required: z.boolean().describe('read outside any `#if` and without a `default`'),
    description: z.string().optional(),
    example: z.unknown().optional().describe('from the sample data'),
    fields: z.lazy(() => z.array(inputField)).optional(),
    items: z
      .lazy(() => inputField)
      .optional()
      .describe("of a list's items, or of the values of an object that a loop goes over"),
  })
  .meta({ id: 'InputField' });

/** What a version of a template reads. */
export const inputSchema = z.object({
  template_id: z.string(),
  version_id: z.string(),
  fields: z.array(inputField),
  json_schema: freeObject.describe(
    'JSON Schema 2020-12 of `data`; it follows the conditions of the template',
  ),
  warnings: z
    .array(z.string())
    .describe('where the sample data or the entity disagree with how the template reads a path'),
});

/** What a person fills in before an automation runs the template. */
export const automationParameter = z
  .object({
    name: z.string().describe('path of the value in `data`'),
    label: z.string(),
    type: z
      .enum(['text', 'number', 'boolean', 'datetime', 'json'])
      .describe('the kind of editor; lists and what has no fields of its own are given as JSON'),
    required: z.boolean(),
    default: z.unknown().optional().describe('an example from the sample data'),
    options: z.array(z.object({ label: z.string(), value: z.unknown() })),
    help: z.string(),
  })
  .meta({ id: 'AutomationParameter' });

/** See {@link automationParameter}. */
export type AutomationParameter = z.output<typeof automationParameter>;
