import { isList, isObject } from '../../json.ts';
import type { Schema } from '../conditions.ts';

/** A value of the data, as its type will be. */
export interface Shape {
  readonly types: readonly string[];
  /** It must be there, and not null. */
  isRequired: boolean;
  /** Items that a list must have. */
  least: number;
  readonly fields: ReadonlyMap<string, Shape>;
  readonly items: Shape | undefined;
  /** The values of an object that a loop goes over. */
  readonly values: Shape | undefined;
  /** The requirements of the template's conditions on the fields of an object. */
  readonly rules: Rule[];
  readonly comment: readonly string[];
}

/** Requirements on an object where a condition holds. */
export interface Rule {
  /** The schema of the condition. */
  readonly condition: Schema;
  /** The schema of what it asks for. */
  readonly needs: Schema[];
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_$-]/g, '');

/** A sentence for people; a title that is only the name again says nothing. */
const aboutOf = (name: string, { title, description }: Schema): string => {
  const text = typeof description === 'string' ? description : typeof title === 'string' ? title : '';
  return plain(text) === plain(name) || text === '' ? '' : text.replace(/[^.!?]$/, '$&.');
};

const commentOf = (name: string, schema: Schema, isDate: boolean): string[] => {
  const { examples } = schema;
  const example = isList(examples) ? examples[0] : undefined;
  const isPlain = example !== undefined && (typeof example !== 'object' || example === null);
  return [
    aboutOf(name, schema),
    isDate ? 'A date: ISO 8601, or a Unix time.' : '',
    isPlain ? `Example: ${JSON.stringify(example)}` : '',
  ].filter((line) => line !== '');
};

/** Types that a value may have; that of a date is text or a number. */
const typesOf = ({ type = 'unknown' }: Schema): string[] => (isList(type) ? type : [type]).map(String);

/** The shape of a schema, without what its conditions ask for. */
export const shapeOf = (schema: Schema, isDemanded: boolean, name = ''): Shape => {
  const { properties, required, items, additionalProperties, minItems } = schema;
  const names = isList(required) ? required : [];
  const types = typesOf(schema);
  const isDate = types.includes('string') && types.includes('number') && !types.includes('boolean');
  const fields = Object.entries(isObject(properties) ? properties : {}).flatMap(
    ([field, inner]): [string, Shape][] =>
      isObject(inner) ? [[field, shapeOf(inner, names.includes(field), field)]] : [],
  );
  return {
    types: types.filter((type) => type !== 'null'),
    isRequired: isDemanded && !types.includes('null'),
    least: typeof minItems === 'number' ? minItems : 0,
    fields: new Map(fields),
    items: isObject(items) ? shapeOf(items, true) : undefined,
    values: isObject(additionalProperties) ? shapeOf(additionalProperties, true) : undefined,
    rules: [],
    comment: commentOf(name, schema, isDate),
  };
};
