import type { PromotedEntity } from '@stanza/contracts';
import { checkRoomOf, newId } from '@stanza/runtime';
import { auditedChanges, changesOf, isEmpty } from '../domain/changes.ts';
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

const factsOf = ({ label, type, description, required }: FieldRow) => ({
  label,
  type,
  description,
  required,
});

type RecordField = (
  change: 'created' | 'updated' | 'deleted',
  id: string,
  changes: Record<string, unknown>,
) => Promise<void>;

/** Removes the fields that the source does not have, each with those inside it. @returns whether there were any */
const removeFields = async (
  { tenant, tx }: Work,
  fields: readonly FieldRow[],
  source: ReadonlyMap<string, FieldRow>,
  record: RecordField,
): Promise<boolean> => {
  const gone = [...pathsOf(fields)].filter(([path]) => !source.has(path)).map(([, field]) => field);
  const tops = gone.filter(({ parent_field_id }) => gone.every(({ id }) => id !== parent_field_id));
  for (const { id, name } of tops) {
    await removeField(tenant, tx, id);
    await record('deleted', id, { name, fields_inside: flatten(fieldTree(fields, id)).length });
  }
  return tops.length > 0;
};

/** Makes the fields of an entity those of the source. @returns whether one was written or removed */
const writeFields = async (
  work: Work,
  entityId: string,
  wanted: readonly FieldRow[],
  record: RecordField,
): Promise<boolean> => {
  const { tenant, tx, at } = work;
  const fields = await fieldsOf(tenant, tx, entityId);
  const now = pathsOf(fields);
  const source = pathsOf(wanted);
  // An entity that has as many already keeps them, also under a lower tier.
  if (source.size > now.size) checkRoomOf('entity_fields', work.allowance, source.size - 1);
  let isChanged = await removeFields(work, fields, source, record);
  /** The fields of the target by the id of their source. */
  const ids = new Map<string, string>();
  // Each field comes before those inside it.
  for (const [path, field] of source) {
    const there = now.get(path);
    const id = there?.id ?? newId();
    ids.set(field.id, id);
    const changes = there ? changesOf(there, factsOf(field)) : {};
    if (there && isEmpty(changes)) continue;
    isChanged = true;
    if (there) {
      await changeField(tenant, tx, id, { ...changes, updated_at: at });
      await record('updated', id, auditedChanges<FieldRow>(there, changes));
      continue;
    }
    const { created_by: _, ...origin } = originOf(work);
    const { name, type, parent_field_id: parent } = field;
    await insertField(tenant, tx, {
      ...origin,
      ...factsOf(field),
      id,
      entity_id: entityId,
      name,
      parent_field_id: parent === null ? null : (ids.get(parent) ?? null),
    });
    await record('created', id, { name, type });
  }
  return isChanged;
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
  // Its own entry counts them.
  await writeFields(work, made.id, fields, async () => undefined);
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
  const record: RecordField = (change, id, changed) =>
    work.record({
      action: `entity_field.${change}`,
      subject: { kind: 'entity_field', id },
      changes: { entity_id: there.id, ...changed },
    });
  const isWritten = await writeFields(work, there.id, source.fields, record);
  if (!isWritten && isEmpty(changes)) return false;
  await changeEntity(work.tenant, work.tx, there.id, { ...changes, updated_at: work.at });
  if (isEmpty(changes)) return true;
  await work.record({
    action: 'entity.updated',
    subject: { kind: 'entity', id: there.id },
    changes: auditedChanges<EntityRow>(there, changes),
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
