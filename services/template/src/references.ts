import { notFound } from '@stanza/contracts';
import type { Tenant, Transaction } from '@stanza/runtime';
import { fitData } from './domain/fit-data.ts';
import { fieldsOf } from './store/entity-fields.ts';
import { holdEntity } from './store/entity-records.ts';
import { holdTemplate } from './store/templates.ts';

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
