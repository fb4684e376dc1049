import { CodedError, limits, notFound, validationFailed } from '@stanza/contracts';
import type { FieldRow } from './data-rows.ts';

/** The part of a field that says where it is and what it can hold. */
export type FieldPlace = Pick<FieldRow, 'id' | 'parent_field_id' | 'name' | 'type'>;

/** A field, the names from the top to it, and the fields inside it. */
export interface FieldNode<T extends FieldPlace> {
  field: T;
  path: string;
  fields: FieldNode<T>[];
}

/** The fields of an entity as a tree, in the order in which they are given on each level. */
export const fieldTree = <T extends FieldPlace>(
  fields: readonly T[],
  parent: string | null = null,
  before = '',
): FieldNode<T>[] =>
  fields
    .filter((field) => field.parent_field_id === parent)
    .map((field) => {
      const path = before === '' ? field.name : `${before}.${field.name}`;
      return { field, path, fields: fieldTree(fields, field.id, path) };
    });

/** The nodes of a tree one after the other, each before those inside it. */
export const flatten = <T extends FieldPlace>(nodes: readonly FieldNode<T>[]): FieldNode<T>[] =>
  nodes.flatMap((node) => [node, ...flatten(node.fields)]);

const heightOf = (nodes: readonly FieldNode<FieldPlace>[]): number =>
  Math.max(0, ...nodes.map((node) => 1 + heightOf(node.fields)));

/** The fields around a field, from its parent to the top. */
const around = (fields: readonly FieldPlace[], parent: string | null): FieldPlace[] => {
  const found = fields.find(({ id }) => id === parent);
  return found ? [found, ...around(fields, found.parent_field_id)] : [];
};

const wrongParent = (message: string): CodedError =>
  validationFailed([{ code: 'custom', path: ['parent_field_id'], message }]);

const holdsFields = (type: FieldRow['type']): boolean => type === 'object' || type === 'array';

const checkParent = (others: readonly FieldPlace[], place: FieldPlace, height: number): void => {
  const parents = around(others, place.parent_field_id);
  const [parent] = parents;
  if (place.parent_field_id === null) return;
  if (!parent) throw notFound('field');
  if (parents.some(({ id }) => id === place.id)) {
    throw wrongParent('is the field itself or inside it, so that the field would be inside itself');
  }
  if (!holdsFields(parent.type)) {
    throw wrongParent(`is a ${parent.type}; only objects and arrays have fields`);
  }
  const depth = parents.length + height;
  if (depth > limits.fieldDepth) {
    throw wrongParent(`would bring fields to level ${depth}; ${limits.fieldDepth} is the deepest`);
  }
};

/**
 * Decides whether a field may be where it is to be, as what it is to be.
 * @param fields the fields of the entity as they are now, with or without this one
 * @throws CodedError `field_not_found` for an unknown parent, `validation_failed` for a parent that cannot have it,
 * `already_exists` for a name that another field beside it has, `invalid_state` when it has fields and could no longer
 */
export const checkPlace = (fields: readonly FieldPlace[], place: FieldPlace): void => {
  const inside = fieldTree(fields, place.id);
  checkParent(
    fields.map((field) => (field.id === place.id ? { ...field, parent_field_id: null } : field)),
    place,
    1 + heightOf(inside),
  );
  const twin = fields.find(
    (field) =>
      field.id !== place.id && field.parent_field_id === place.parent_field_id && field.name === place.name,
  );
  if (twin) {
    throw new CodedError('already_exists', {
      message: `There is a field "${place.name}" beside it already.`,
    });
  }
  if (inside.length > 0 && !holdsFields(place.type)) {
    throw new CodedError('invalid_state', {
      message: `The field has fields inside, which a ${place.type} cannot have; delete or move them first.`,
    });
  }
};

/**
 * Decides whether an entity may have one more field.
 * @throws CodedError `invalid_state`
 */
export const checkRoom = (fields: readonly FieldPlace[]): void => {
  if (fields.length < limits.entityFields) return;
  throw new CodedError('invalid_state', {
    message: `The entity has ${fields.length} fields, which is as many as there may be.`,
  });
};
