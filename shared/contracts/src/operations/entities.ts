import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { entity, entityField, entityWithFields, fieldName, fieldTypes } from '../resources/entity.ts';
import {
  deleted,
  description,
  id,
  keyQuery,
  listOf,
  name,
  newKey,
  pageQuery,
  sorts,
} from '../resources/values.ts';

const byId = z.strictObject({ id });
const byField = z.strictObject({ id, field_id: id });

const fieldBody = {
  label: name.nullable().optional().describe('what people call it'),
  description: description.nullable().optional(),
  required: z.boolean().optional().describe('data without it does not fit the entity; default false'),
  parent_field_id: id
    .nullable()
    .optional()
    .describe('the object that it is a part of, or the list of objects; null for the top'),
};

/** Lists entities. */
export const listEntities = httpOperation({
  id: 'list-entities',
  service: 'template',
  summary: 'List entities, newest first',
  method: 'GET',
  path: '/entities',
  access: 'entities:read',
  query: pageQuery.extend({
    key: keyQuery,
    q: z.string().min(1).max(limits.name).optional().describe('part of the name, in any case'),
    sort: sorts,
  }),
  reply: listOf(entity),
});

/** Creates an entity. */
export const createEntity = httpOperation({
  id: 'create-entity',
  service: 'template',
  summary: 'Create an entity, a description of the data of templates',
  description: 'Its fields are added one by one. A name is taken once in an environment, whatever its case.',
  method: 'POST',
  path: '/entities',
  access: 'entities:write',
  status: 201,
  body: z.strictObject({ name, key: newKey, description: description.nullable().optional() }),
  reply: entityWithFields,
  errors: ['already_exists', 'tier_limit'],
  example: { name: 'Order', description: 'What a customer bought' },
});

/** Reads an entity. */
export const getEntity = httpOperation({
  id: 'get-entity',
  service: 'template',
  summary: 'Read an entity with its fields',
  method: 'GET',
  path: '/entities/{id}',
  access: 'entities:read',
  params: byId,
  reply: entityWithFields,
  errors: ['entity_not_found'],
});

/** Changes an entity. */
export const updateEntity = httpOperation({
  id: 'update-entity',
  service: 'template',
  summary: 'Change name or description of an entity',
  description: 'What is left out stays; null takes the description away.',
  method: 'PATCH',
  path: '/entities/{id}',
  access: 'entities:write',
  params: byId,
  body: z.strictObject({ name: name.optional(), description: description.nullable().optional() }),
  reply: entityWithFields,
  errors: ['entity_not_found', 'already_exists'],
  example: { description: 'What a customer bought, and for how much' },
});

/** Deletes an entity. */
export const deleteEntity = httpOperation({
  id: 'delete-entity',
  service: 'template',
  summary: 'Delete an entity with its fields',
  description: 'Refused while a template version or sample data refers to it.',
  method: 'DELETE',
  path: '/entities/{id}',
  access: 'entities:write',
  params: byId,
  reply: deleted,
  errors: ['entity_not_found', 'invalid_state'],
});

/** Adds a field to an entity. */
export const createEntityField = httpOperation({
  id: 'create-entity-field',
  service: 'template',
  summary: 'Add a field to an entity',
  description: `Fields of an object, or of the items of an array, name it as their parent; ${limits.fieldDepth} levels at most. Names are taken once among the fields of one parent.`,
  method: 'POST',
  path: '/entities/{id}/fields',
  access: 'entities:write',
  status: 201,
  params: byId,
  body: z.strictObject({ name: fieldName, type: z.enum(fieldTypes), ...fieldBody }),
  reply: entityField,
  errors: ['entity_not_found', 'field_not_found', 'already_exists', 'invalid_state', 'tier_limit'],
  example: { name: 'total', type: 'number', label: 'Total', required: true },
});

/** Changes a field. */
export const updateEntityField = httpOperation({
  id: 'update-entity-field',
  service: 'template',
  summary: 'Change a field of an entity, or move it',
  description:
    'What is left out stays. With another `parent_field_id` it moves there with its own fields. The type of a field that has fields may only become array or object.',
  method: 'PATCH',
  path: '/entities/{id}/fields/{field_id}',
  access: 'entities:write',
  params: byField,
  body: z.strictObject({
    name: fieldName.optional(),
    type: z.enum(fieldTypes).optional(),
    ...fieldBody,
  }),
  reply: entityField,
  errors: ['entity_not_found', 'field_not_found', 'already_exists', 'invalid_state'],
  example: { label: 'Order total', required: false },
});

/** Deletes a field. */
export const deleteEntityField = httpOperation({
  id: 'delete-entity-field',
  service: 'template',
  summary: 'Delete a field with the fields inside it',
  method: 'DELETE',
  path: '/entities/{id}/fields/{field_id}',
  access: 'entities:write',
  params: byField,
  reply: deleted,
  errors: ['entity_not_found', 'field_not_found'],
});
