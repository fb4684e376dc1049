import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, key, timestamp } from './values.ts';

/** What the value of a field may be. */
export const fieldTypes = ['string', 'number', 'boolean', 'date', 'array', 'object'] as const;

/** See {@link fieldTypes}. */
export type FieldType = (typeof fieldTypes)[number];

/**
 * The key of a field: any key that data may have, which a placeholder reads as one step of a path, in quotes where it must.
 */
export const fieldName = z
  .string()
  .min(1)
  .max(limits.name)
  .refine((name) => name !== '__proto__', 'is not allowed as a key');

/** A field of an entity. */
export const entityField = z
  .object({
    id,
    entity_id: id,
    parent_field_id: id
      .nullable()
      .describe('the object that it is a part of, or the list of objects; null at the top'),
    name: z.string().describe('the key in the data'),
    path: z
      .string()
      .describe('the names from the top, as a placeholder reads them')
      .meta({ example: 'order.id' }),
    label: z.string().nullable(),
    type: z.enum(fieldTypes),
    description: z.string().nullable(),
    required: z.boolean().describe('data without it does not fit the entity'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'EntityField' });

/** See {@link entityField}. */
export type EntityField = z.output<typeof entityField>;

/** An entity: a description of the data of templates. */
export const entity = z
  .object({
    id,
    organization_id: id,
    key: key.describe('names it for programs'),
    name: z.string(),
    description: z.string().nullable(),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Entity' });

/** See {@link entity}. */
export type Entity = z.output<typeof entity>;

/** An entity with all of its fields: those of one parent in the order in which they were made, each before its own. */
export const entityWithFields = entity
  .extend({ fields: z.array(entityField) })
  .meta({ id: 'EntityWithFields' });

/** See {@link entityWithFields}. */
export type EntityWithFields = z.output<typeof entityWithFields>;
