import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { entityKey, isOneEntityAtMost } from '../resources/entity-reference.ts';
import { sampleData, sampleDataSummary } from '../resources/sample-data.ts';
import { isOneTemplateAtMost, templateReference } from '../resources/template-reference.ts';
import { deleted, description, freeObject, id, listOf, name, pageQuery, sorts } from '../resources/values.ts';

const byId = z.strictObject({ id });
const fields = {
  description: description.nullable().optional(),
  template_id: id.nullable().optional().describe('the template that it is for'),
  template_key: templateReference.template_key,
  entity_id: id.nullable().optional().describe('the entity that the data must fit'),
  entity_key: entityKey,
};

/** Lists sample data. */
export const listSampleData = httpOperation({
  id: 'list-sample-data',
  service: 'template',
  summary: 'List sample data, newest first, without the data',
  method: 'GET',
  path: '/sample-data',
  access: 'sample-data:read',
  query: pageQuery.extend({
    ...templateReference,
    entity_id: id.optional(),
    entity_key: entityKey,
    q: z.string().min(1).max(limits.name).optional().describe('part of the name, in any case'),
    sort: sorts,
  }),
  reply: listOf(sampleDataSummary),
});

/** Saves sample data. */
export const createSampleData = httpOperation({
  id: 'create-sample-data',
  service: 'template',
  summary: 'Save data to try templates with',
  description:
    'With an entity, the data must fit its fields; 400 `invalid_data` lists every place where it does not.',
  method: 'POST',
  path: '/sample-data',
  access: 'sample-data:write',
  status: 201,
  body: z
    .strictObject({ name, data: freeObject, ...fields })
    .superRefine(isOneTemplateAtMost)
    .superRefine(isOneEntityAtMost),
  reply: sampleData,
  errors: ['template_not_found', 'entity_not_found', 'invalid_data', 'tier_limit'],
  example: { name: 'A big order', data: { order: { id: 'A-1', total: 9800 } } },
});

/** Reads sample data. */
export const getSampleData = httpOperation({
  id: 'get-sample-data',
  service: 'template',
  summary: 'Read sample data',
  method: 'GET',
  path: '/sample-data/{id}',
  access: 'sample-data:read',
  params: byId,
  reply: sampleData,
  errors: ['not_found'],
});

/** Changes sample data. */
export const updateSampleData = httpOperation({
  id: 'update-sample-data',
  service: 'template',
  summary: 'Change sample data',
  description:
    'Absent fields keep their values; `data` is replaced as a whole. The result must fit the entity that it names.',
  method: 'PATCH',
  path: '/sample-data/{id}',
  access: 'sample-data:write',
  params: byId,
  body: z
    .strictObject({ name: name.optional(), data: freeObject.optional(), ...fields })
    .superRefine(isOneTemplateAtMost)
    .superRefine(isOneEntityAtMost),
  reply: sampleData,
  errors: ['not_found', 'template_not_found', 'entity_not_found', 'invalid_data', 'tier_limit'],
  example: { name: 'A bigger order', data: { order: { id: 'A-2', total: 19800 } } },
});

/** Deletes sample data. */
export const deleteSampleData = httpOperation({
  id: 'delete-sample-data',
  service: 'template',
  summary: 'Delete sample data',
  method: 'DELETE',
  path: '/sample-data/{id}',
  access: 'sample-data:write',
  params: byId,
  reply: deleted,
  errors: ['not_found'],
});
