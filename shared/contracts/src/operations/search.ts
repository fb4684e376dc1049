import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { entity } from '../resources/entity.ts';
import { lifecycles, template } from '../resources/template.ts';
import { listOf, pageQuery } from '../resources/values.ts';

const q = z
  .string()
  .max(limits.name)
  .optional()
  .describe('words of the name or the description, two letters or more; need not be spelt quite right')
  // Checked by the operation itself, which has an error code for a missing or too short query.
  .meta({ isDemanded: true, json: { type: 'string', minLength: 2, maxLength: limits.name } });
const score = z.number().describe('how well it fits: the higher, the better');
const description =
  'Names count more than descriptions, and whole words and beginnings more than parts. Letters fit whatever their case and marks. With less than two letters or digits: 400 `invalid_search_query`. The first 1,000 matches are scored, those whose name begins with the words and then the newest; `total` counts no further.';

/** Searches templates. */
export const searchTemplates = httpOperation({
  id: 'search-templates',
  service: 'template',
  summary: 'Search templates, best first',
  description,
  method: 'GET',
  path: '/search/templates',
  access: 'templates:read',
  ownRate: 'search',
  query: pageQuery.extend({ q, lifecycle: z.enum(lifecycles).optional() }),
  reply: listOf(template.extend({ score }).meta({ id: 'FoundTemplate' })),
  legacyListKey: 'results',
  errors: ['invalid_search_query'],
});

/** Searches entities. */
export const searchEntities = httpOperation({
  id: 'search-entities',
  service: 'template',
  summary: 'Search entities, best first',
  description,
  method: 'GET',
  path: '/search/entities',
  access: 'entities:read',
  ownRate: 'search',
  query: pageQuery.extend({ q }),
  reply: listOf(entity.extend({ score }).meta({ id: 'FoundEntity' })),
  legacyListKey: 'results',
  errors: ['invalid_search_query'],
});
