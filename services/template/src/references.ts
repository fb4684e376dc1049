import { notFound } from '@stanza/contracts';
import type { Tenant, Transaction } from '@stanza/runtime';
import { fitData } from './domain/fit-data.ts';
import { fieldsOf } from './store/entity-fields.ts';
import { holdEntity } from './store/entity-records.ts';
import { holdTemplate } from './store/templates.ts';

/**
 * Makes sure that an entity is there, and stays until the transaction ends; null needs none.
 * @throws CodedError `entity_not_found`
 */
export const needEntity = async (tenant: Tenant, tx: Transaction, id: string | null): Promise<void> => {
  if (id !== null && !(await holdEntity(tenant, tx, id))) throw notFound('entity');
};

/**
 * Makes sure that a template is there, and stays until the transaction ends; null needs none.
 * @throws CodedError `template_not_found`
 */
export const needTemplate = async (tenant: Tenant, tx: Transaction, id: string | null): Promise<void> => {
  if (id !== null && !(await holdTemplate(tenant, tx, id))) throw notFound('template');
};

/**
 * Makes sure that data fits the entity that it names, if it names one.
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
