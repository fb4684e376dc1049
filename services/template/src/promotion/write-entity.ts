import type { PromotedEntity } from '@stanza/contracts';
import { checkRoomOf, newId } from '@stanza/runtime';
import { changesOf, isEmpty } from '../domain/changes.ts';
import type { EntityRow, FieldRow } from '../domain/data-tables.ts';
import { entityNameTaken } from '../domain/errors.ts';
import { fieldTree, flatten } from '../domain/field-tree.ts';
import { changeField, fieldsOf, insertField, removeField } from '../store/entity-fields.ts';
import { changeEntity, insertEntity, isEntityNameTaken, lockEntity } from '../store/entity-records.ts';
import { entityKeys } from '../store/keys.ts';
import { storedEntities } from '../store/stored.ts';
import type { SourceEntity } from './source.ts';
import { originOf, type Work } from './work.ts';

const pathsOf = (fields: readonly FieldRow[]): Map<string, FieldRow> =>
  new Map(flatten(fieldTree(fields)).map(({ path, field }) => [path, field]));

const parentPath = (path: string): string | null => {
  const end = path.lastIndexOf('.');
  return end < 0 ? null : path.slice(0, end);
};

const factsOf = ({ label, type, description, required }: FieldRow) => ({
  label,
  type,
  description,
  required,
});

/** Makes the fields of an entity those of the source. @returns how many were written or removed */
const writeFields = async (work: Work, entityId: string, wanted: readonly FieldRow[]): Promise<number> => {
  const { tenant, tx, at } = work;
  const now = pathsOf(await fieldsOf(tenant, tx, entityId));
  const source = pathsOf(wanted);
  checkRoomOf('entity_fields', work.allowance, source.size - 1);
  let written = 0;
  for (const [path, field] of now) {
    if (source.has(path)) continue;
    await removeField(tenant, tx, field.id);
    written += 1;
  }
  const ids = new Map<string | null, string | null>([[null, null]]);
  // Each field comes before those inside it.
  for (const [path, field] of source) {
    const there = now.get(path);
    ids.set(path, there?.id ?? newId());
    const changes = there ? changesOf(there, factsOf(field)) : {};
    if (there && isEmpty(changes)) continue;
    written += 1;
    if (there) {
      await changeField(tenant, tx, there.id, { ...changes, updated_at: at });
      continue;
    }
    const { created_by: _, ...origin } = originOf(work);
    await insertField(tenant, tx, {
      ...origin,
      ...factsOf(field),
      id: ids.get(path) ?? newId(),
      entity_id: entityId,
      name: field.name,
      parent_field_id: ids.get(parentPath(path)) ?? null,
    });
  }
  return written;
};

const createEntity = async (work: Work, { entity, fields }: SourceEntity): Promise<string> => {
  const { key, name, description } = entity;
  const origin = originOf(work);
  await storedEntities.check(work.tenant, work.tx, work.allowance, origin.operation_id);
  const made = await insertEntity(work.tenant, work.tx, {
    ...origin,
    id: newId(),
    key,
    name,
    description,
  });
  await writeFields(work, made.id, fields);
  await work.record({
    action: 'entity.created',
    subject: { kind: 'entity', id: made.id },
    changes: { name, fields: fields.length },
  });
  return made.id;
};

const updateEntity = async (work: Work, there: EntityRow, source: SourceEntity): Promise<boolean> => {
  const { name, description } = source.entity;
  const changes = changesOf(there, { name, description });
  const fields = await writeFields(work, there.id, source.fields);
  if (fields === 0 && isEmpty(changes)) return false;
  await changeEntity(work.tenant, work.tx, there.id, { ...changes, updated_at: work.at });
  await work.record({
    action: 'entity.updated',
    subject: { kind: 'entity', id: there.id },
    changes: { name, fields },
  });
  return true;
};

const write = async (work: Work, source: SourceEntity): Promise<PromotedEntity> => {
  const { key } = source.entity;
  const id = await entityKeys.idOf(work.tenant, work.tx, key);
  const there = id === undefined ? null : await lockEntity(work.tenant, work.tx, id);
  if (!there) return { key, action: 'created', entity_id: await createEntity(work, source) };
  const isChanged = await updateEntity(work, there, source);
  return { key, action: isChanged ? 'updated' : 'unchanged', entity_id: there.id };
};

/**
 * Creates an entity with its fields, or makes the one with its key the same.
 * @throws CodedError `already_exists` when an entity with another key has its name
 */
export const writeEntity = async (work: Work, source: SourceEntity): Promise<PromotedEntity> => {
  try {
    return await write(work, source);
  } catch (error) {
    throw isEntityNameTaken(error) ? entityNameTaken(source.entity.name) : error;
  }
};
