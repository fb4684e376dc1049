import { type EntityReference, notFound, type TemplateReference } from '@stanza/contracts';
import type { Queryable, Tenant, Transaction } from '@stanza/runtime';
import { fitData } from './domain/fit-data.ts';
import { fieldsOf } from './store/entity-fields.ts';
import { holdEntity } from './store/entity-records.ts';
import { entityKeys, templateKeys } from './store/keys.ts';
import { holdTemplate } from './store/templates.ts';

/**
 * The id of the template that a request names; undefined where it names none, null where it takes one away.
 * @throws CodedError `template_not_found` where the key names none; an id is not looked up
 */
export const namedTemplateId = async (
  tenant: Tenant,
  db: Queryable,
  { template_id, template_key }: TemplateReference,
): Promise<string | null | undefined> => {
  if (template_key === undefined || template_key === null) return template_id?.toLowerCase() ?? template_id;
  const found = await templateKeys.idOf(tenant, db, template_key);
  if (found === undefined) throw notFound('template');
  return found;
};

/**
 * The id of the entity that a request names; undefined where it names none, null where it takes one away.
 * @throws CodedError `entity_not_found` where the key names none; an id is not looked up
 */
export const namedEntityId = async (
  tenant: Tenant,
  db: Queryable,
  { entity_id, entity_key }: EntityReference,
): Promise<string | null | undefined> => {
  if (entity_key === undefined) return entity_id?.toLowerCase() ?? entity_id;
  const found = await entityKeys.idOf(tenant, db, entity_key);
  if (found === undefined) throw notFound('entity');
  return found;
};

/**
 * Checks that an entity exists, and locks it against deletion until the transaction ends; null needs no check.
 * @throws CodedError `entity_not_found`
 */
export const needEntity = async (tenant: Tenant, tx: Transaction, id: string | null): Promise<void> => {
  if (id !== null && !(await holdEntity(tenant, tx, id))) throw notFound('entity');
};

/**
 * Checks that a template exists, and locks it against deletion until the transaction ends; null needs no check.
 * @throws CodedError `template_not_found`
 */
export const needTemplate = async (tenant: Tenant, tx: Transaction, id: string | null): Promise<void> => {
  if (id !== null && !(await holdTemplate(tenant, tx, id))) throw notFound('template');
};

/**
 * Checks that data matches its entity, if it has one.
 * @throws CodedError `entity_not_found`, `invalid_data` with every problem
 */
export const needFitting = async (
  tenant: Tenant,
  tx: Transaction,
  { entity_id, data }: { entity_id: string | null; data: Record<string, unknown> },
): Promise<void> => {
  if (entity_id === null) return;
  await needEntity(tenant, tx, entity_id);
  fitData(await fieldsOf(tenant, tx, entity_id), data);
};
