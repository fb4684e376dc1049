import { type FieldType, type Problem, problemsError } from '@stanza/contracts';
import { isList, isObject, type JsonObject, momentForms, momentOf, pointerStep } from '@stanza/engine';
import type { FieldRow } from './data-tables.ts';
import { type FieldNode, fieldTree } from './field-tree.ts';

/** The facts of a field that data is checked against. */
export type FieldShape = Pick<FieldRow, 'id' | 'parent_field_id' | 'name' | 'type' | 'required'>;

type Node = FieldNode<FieldShape>;

/** Problems listed in one answer. */
const listed = 100;

const isOfType: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  date: (value) => momentOf(value) !== undefined,
  array: isList,
  object: isObject,
};

const wanted: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  date: momentForms,
  array: 'a list',
  object: 'an object',
};

const problemsOfItems = (node: Node, items: readonly unknown[], pointer: string): Problem[] =>
  items.flatMap((item, index) => {
    const at = pointer + pointerStep(index);
    if (isObject(item)) return problemsOfObject(node.fields, item, at);
    return [{ pointer: at, rule: 'field.type', message: `\`${node.path}\` is a list of objects.` }];
  });

const problemsOfValue = (node: Node, value: unknown, pointer: string): Problem[] => {
  const { field, path, fields } = node;
  if (value === undefined || value === null) {
    return field.required ? [{ pointer, rule: 'field.required', message: `\`${path}\` is required.` }] : [];
  }
  if (!isOfType[field.type](value)) {
    return [{ pointer, rule: 'field.type', message: `\`${path}\` must be ${wanted[field.type]}.` }];
  }
  if (fields.length === 0) return [];
  if (isList(value)) return problemsOfItems(node, value, pointer);
  return isObject(value) ? problemsOfObject(fields, value, pointer) : [];
};

const problemsOfObject = (nodes: readonly Node[], data: JsonObject, pointer: string): Problem[] =>
  nodes.flatMap((node) => {
    const { name } = node.field;
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return problemsOfValue(node, value, pointer + pointerStep(name));
  });

/**
 * All mismatches between data and the fields of an entity. Keys without a field are allowed: templates may read more
 * than the entity describes.
 */
export const problemsOfData = (fields: readonly FieldShape[], data: JsonObject): Problem[] =>
  problemsOfObject(fieldTree(fields), data, '/data');

/**
 * Checks data against the fields of an entity.
 * @throws CodedError `invalid_data` with every problem
 */
export const fitData = (fields: readonly FieldShape[], data: JsonObject): void => {
  const problems = problemsOfData(fields, data);
  if (problems.length === 0) return;
  const more = problems.length - listed;
  const rest = {
    pointer: '/data',
    rule: 'problems.more',
    message: `${more} more are not listed.`,
    actual: more,
  };
  throw problemsError('invalid_data', more > 0 ? [...problems.slice(0, listed), rest] : problems);
};
