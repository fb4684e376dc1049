import { describe, expect, it } from '@jest/globals';
import { type FieldType, limits } from '@stanza/contracts';
import { checkPlace, checkRoom, type FieldPlace, fieldTree, flatten } from './field-tree.ts';

const field = (id: string, parent: string | null = null, type: FieldType = 'object'): FieldPlace => ({
  id,
  parent_field_id: parent,
  name: id,
  type,
});

/** Nested fields, the deepest named after the number of levels. */
const nest = (levels: number, prefix = 'level'): FieldPlace[] =>
  Array.from({ length: levels }, (_, index) =>
    field(`${prefix}${index + 1}`, index === 0 ? null : `${prefix}${index}`),
  );

describe('the fields of an entity', () => {
  it('form a tree, each before those inside it, with the path by which data is read', () => {
    const fields = [field('total', 'order', 'number'), field('order'), field('note'), field('id', 'order')];
    expect(flatten(fieldTree(fields)).map((it) => it.path)).toEqual([
      'order',
      'order.total',
      'order.id',
      'note',
    ]);
  });

  it('have unique names under one parent, and any names under others', () => {
    const fields = [field('order'), field('id', 'order', 'string')];
    const twin = { ...field('new', 'order'), name: 'id' };
    expect(() => checkPlace(fields, twin)).toThrow(expect.objectContaining({ code: 'already_exists' }));
    expect(() => checkPlace(fields, { ...twin, parent_field_id: null })).not.toThrow();
    expect(() => checkPlace(fields, field('id', 'order', 'number'))).not.toThrow();
  });

  it('have an existing parent', () => {
    expect(() => checkPlace([field('a')], field('b', 'gone'))).toThrow(
      expect.objectContaining({ code: 'field_not_found' }),
    );
  });

  it.each(['string', 'number', 'boolean', 'date'] as const)('cannot be inside a %s', (type) => {
    expect(() => checkPlace([field('a', null, type)], field('b', 'a'))).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  });

  it('nest to the limit and no deeper', () => {
    const full = nest(limits.fieldDepth);
    const refused = expect.objectContaining({
      code: 'validation_failed',
      facts: expect.objectContaining({ issues: [expect.objectContaining({ path: ['parent_field_id'] })] }),
    });
    expect(() => checkPlace(full.slice(0, -1), field('last', 'level7'))).not.toThrow();
    expect(() => checkPlace(full, field('more', 'level8'))).toThrow(refused);
    const [top] = nest(3, 'moved');
    if (!top) throw new Error('unreachable');
    const all = [...full, ...nest(3, 'moved')];
    expect(() => checkPlace(all, { ...top, parent_field_id: 'level5' })).not.toThrow();
    expect(() => checkPlace(all, { ...top, parent_field_id: 'level6' })).toThrow(refused);
  });

  it.each(['level1', 'level2', 'level3'])('are never inside themselves: level1 not in %s', (parent) => {
    expect(() => checkPlace(nest(3), field('level1', parent))).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  });

  it('keep a type that can contain their fields', () => {
    const fields = [field('order'), field('id', 'order', 'string')];
    expect(() => checkPlace(fields, field('order', null, 'array'))).not.toThrow();
    expect(() => checkPlace(fields, field('order', null, 'string'))).toThrow(
      expect.objectContaining({ code: 'invalid_state' }),
    );
  });

  it('cannot exceed the limit', () => {
    const many = Array.from({ length: limits.entityFields }, (_, index) => field(`f${index}`));
    expect(() => checkRoom(many.slice(1))).not.toThrow();
    expect(() => checkRoom(many)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  });
});
