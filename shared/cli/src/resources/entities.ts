import type { EntityField, EntityWithFields, Stanza } from '@stanza/sdk';
import { hashOf, type JsonObject } from '../files/canonical.ts';
import { forEach } from '../templates/remote.ts';
import { kindOf, type Listed, plainly } from './kind.ts';
import { deferred, flag, listOf, oneOf, record, type Shape, text } from './shape.ts';

const types = ['string', 'number', 'boolean', 'date', 'array', 'object'] as const;

/** A field of an entity, with those inside it. */
interface FieldFile {
  name: string;
  type: (typeof types)[number];
  label?: string;
  description?: string;
  required?: boolean;
  fields?: FieldFile[];
}

const field: Shape<FieldFile> = record(
  { name: text, type: oneOf(...types) },
  { label: text, description: text, required: flag, fields: listOf(deferred(() => field)) },
);

interface EntityFile {
  name: string;
  description?: string;
  fields?: FieldFile[];
}

const shape: Shape<EntityFile> = record({ name: text }, { description: text, fields: listOf(field) });

const fieldsUnder = (all: readonly EntityField[], parent: string | null): FieldFile[] =>
  all
    .filter(({ parent_field_id }) => parent_field_id === parent)
    .map(({ id, name, type, label, description, required }) => {
      const fields = fieldsUnder(all, id);
      return {
        name,
        type,
        ...(label !== null && { label }),
        ...(description !== null && { description }),
        ...(required && { required }),
        ...(fields.length > 0 && { fields }),
      };
    });

/** Fields that are the same in another order are the same: the API keeps that of their making. */
const compared = (fields: unknown): unknown => {
  if (!listOf(field).is(fields)) return fields;
  return fields
    .map(({ required, fields: inner, ...own }) => ({
      ...own,
      ...(required && { required }),
      ...(inner && inner.length > 0 && { fields: compared(inner) }),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};

const hasInside = ({ type }: FieldFile): boolean => type === 'object' || type === 'array';

/**
 * The fields of a file, and those of the API that it lacks. A field that is to take none inside it, and has some, stays as
 * it is.
 */
const withLacking = (
  mine: readonly FieldFile[],
  there: readonly FieldFile[],
  kept: string[],
  at = '',
): FieldFile[] => {
  const own = mine.map((one): FieldFile => {
    const before = there.find(({ name }) => name === one.name);
    const fields = withLacking(one.fields ?? [], before?.fields ?? [], kept, `${at}${one.name}.`);
    if (before && fields.length > 0 && !hasInside(one)) return before;
    return { ...one, ...(fields.length > 0 && { fields }) };
  });
  const lacking = there.filter(({ name }) => !mine.some((one) => one.name === name));
  kept.push(...lacking.map(({ name }) => at + name));
  return [...own, ...lacking];
};

/** Brings the fields of an entity to those of a file, those under one field at a time. */
class FieldWriter {
  readonly #stanza: Stanza;
  readonly #entity: EntityWithFields;

  constructor(stanza: Stanza, entity: EntityWithFields) {
    this.#stanza = stanza;
    this.#entity = entity;
  }

  async write(wanted: readonly FieldFile[], parent: string | null): Promise<void> {
    const names = new Set(wanted.map(({ name }) => name));
    const there = this.#entity.fields.filter(({ parent_field_id }) => parent_field_id === parent);
    const { fields } = this.#stanza.entities;
    for (const { id, name } of there) if (!names.has(name)) await fields.delete(this.#entity.id, id);
    for (const one of wanted)
      await this.#writeOne(
        one,
        there.find(({ name }) => name === one.name),
        parent,
      );
  }

  async #writeOne(
    { name, fields = [], ...said }: FieldFile,
    there: EntityField | undefined,
    parent: string | null,
  ): Promise<void> {
    const { type, label = null, description = null, required = false } = said;
    const body = { type, label, description, required };
    const own = this.#stanza.entities.fields;
    if (!there) {
      const made = await own.create(this.#entity.id, { name, ...body, parent_field_id: parent });
      return this.write(fields, made.id);
    }
    // A type that has no fields is taken on once they are gone, one that has some before they come.
    if (fields.length === 0) await this.write([], there.id);
    const before = {
      type: there.type,
      label: there.label,
      description: there.description,
      required: there.required,
    };
    if (hashOf(before) !== hashOf(body)) await own.update(this.#entity.id, there.id, body);
    if (fields.length > 0) await this.write(fields, there.id);
  }
}

/** Entities with their fields; the order of fields says nothing. */
export const entities = kindOf<EntityFile>({
  folder: 'entities',
  word: 'entity',
  named: 'entity',
  scope: 'entities:read',
  shape,
  order: ['name', 'description', 'fields'],
  usual: () => ({ fields: [] }),
  partsOf: ({ fields, ...about }: JsonObject) => ({
    about: { ...about, fields: compared(fields ?? []) },
    content: null,
  }),
  keeping: (document, there) => {
    const kept: string[] = [];
    const fields = withLacking(document.fields ?? [], there.fields ?? [], kept);
    return { document: { ...document, fields }, kept };
  },
  list: async ({ stanza }) => {
    const ids: string[] = [];
    for await (const { id } of stanza.entities.list()) ids.push(id);
    return forEach(ids, async (id): Promise<Listed> => {
      const { key, name, description, fields } = await stanza.entities.get(id);
      return { id, key, document: { name, description, fields: fieldsUnder(fields, null) } };
    });
  },
  create: async ({ stanza }, { name, description, fields = [] }, key) => {
    const made = await stanza.entities.create({ key, name, description: description ?? null });
    await new FieldWriter(stanza, made).write(fields, null);
    return plainly(made);
  },
  update: async ({ stanza }, { name, description, fields = [] }, { found }) => {
    const entity = await stanza.entities.update(found.id, { name, description: description ?? null });
    await new FieldWriter(stanza, entity).write(fields, null);
    return plainly(entity);
  },
  remove: async ({ stanza }, id) => {
    await stanza.entities.delete(id);
  },
});
