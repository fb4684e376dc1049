import { z } from 'zod';
import { httpOperation } from '../operation.ts';
import { automationParameter, inputSchema } from '../resources/input-schema.ts';
import { id } from '../resources/values.ts';

const byId = z.strictObject({ id });
const version = z.strictObject({
  version_id: id.optional().describe('a version of this template; default: the live one'),
});

/** Tells what a version of a template reads. */
export const getInputSchema = httpOperation({
  id: 'get-input-schema',
  service: 'compile',
  summary: 'What a template reads: its fields, and the JSON Schema of its data',
  description:
    'Derived from the version alone; types come from its entity, then from its sample data. Data that is valid against `json_schema` leaves no value missing, unless a warning says that the conditions around some are too many for it.',
  method: 'GET',
  path: '/templates/{id}/input-schema',
  access: 'templates:read',
  params: byId,
  query: version,
  reply: inputSchema,
  errors: ['template_not_found', 'version_not_found', 'compilation_failed'],
});

/** The same for the editor of an automation tool. */
export const getInputSchemaAutomation = httpOperation({
  id: 'get-input-schema-automation',
  service: 'compile',
  summary: 'What a template reads, as parameters of an automation tool',
  method: 'GET',
  path: '/templates/{id}/input-schema/automation',
  access: 'templates:read',
  params: byId,
  query: version,
  reply: z.object({ parameters: z.array(automationParameter) }),
  errors: ['template_not_found', 'version_not_found', 'compilation_failed'],
});
