import { isList, isObject } from '../../json.ts';
import type { Schema } from '../conditions.ts';
import { apply, settle } from './apply.ts';
import { render } from './render.ts';
import { shapeOf } from './shape.ts';

/**
 * The TypeScript of a template's data, made from its derived schema. Data that has the type is valid: where no type can
 * express a condition of the template, the requirements of the condition apply always.
 *
 * @param schema `json_schema` of the derived inputs
 */
export const dataType = (schema: Schema): string => {
  const shape = shapeOf(schema, true);
  const needs = isList(schema.allOf) ? schema.allOf.filter(isObject) : [];
  for (const need of needs) apply(shape, need);
  settle(shape);
  return render(shape);
};
