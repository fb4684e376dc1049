import { CodedError, limits, notFound, validationFailed } from '@stanza/contracts';
import { writePath } from '@stanza/engine/path';
import type { FieldRow } from './data-tables.ts';

/** The part of a field that determines its position and type. */
export type FieldPlace = Pick<FieldRow, 'id' | 'parent_field_id' | 'name' | 'type'>;

/** A field, the names on the path to it, and the fields inside it. */
export interface FieldNode<T extends FieldPlace> {
  field: T;
  path: string;
  fields: FieldNode<T>[];
}

/** The fields of an entity as a tree, in the given order on each level. */
export const fieldTree = <T extends FieldPlace>(
  fields: readonly T[],
  parent: string | null = null,
  before = '',
): FieldNode<T>[] =>
  fields
    .filter((field) => field.parent_field_id === parent)
    .map((field) => {
      const path = writePath([field.name], before);
      return { field, path, fields: fieldTree(fields, field.id, path) };
    });

/** The nodes of a tree in order, each before those inside it. */
export const flatten = <T extends FieldPlace>(nodes: readonly FieldNode<T>[]): FieldNode<T>[] =>
  nodes.flatMap((node) => [node, ...flatten(node.fields)]);

const heightOf = (nodes: readonly FieldNode<FieldPlace>[]): number =>
  Math.max(0, ...nodes.map((node) => 1 + heightOf(node.fields)));

/** The ancestors of a field, from its parent to the top. */
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
    throw wrongParent('is the field itself or inside it');
  }
  if (!holdsFields(parent.type)) {
    throw wrongParent(`is a ${parent.type}; only objects and arrays have fields`);
  }
  const depth = parents.length + height;
  if (depth > limits.fieldDepth) {
    throw wrongParent(`would nest fields to level ${depth}; ${limits.fieldDepth} is the deepest`);
  }
};

/**
 * Decides whether a field may have a position and type.
 * @param fields the current fields of the entity, with or without this one
 * @throws CodedError `field_not_found` for an unknown parent, `validation_failed` for a parent that cannot contain it,
 * `already_exists` for a name used by a sibling, `invalid_state` for a new type that cannot contain its fields
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
      message: `A sibling field is named "${place.name}" already.`,
    });
  }
  if (inside.length > 0 && !holdsFields(place.type)) {
    throw new CodedError('invalid_state', {
      message: `The field contains fields, which a ${place.type} cannot; delete or move them first.`,
    });
  }
};

/**
 * Decides whether an entity may have another field.
 * @throws CodedError `invalid_state`
 */
export const checkRoom = (fields: readonly FieldPlace[]): void => {
  if (fields.length < limits.entityFields) return;
  throw new CodedError('invalid_state', {
    message: `The entity has ${fields.length} fields, the most allowed.`,
  });
};
