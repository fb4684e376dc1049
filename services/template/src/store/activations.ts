import { type GrowingPage, numberOfPlace, type Page } from '@stanza/contracts';
import { ownerOf, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { LessThan } from 'typeorm';
import type { ActivationRow, TemplateRow, VersionRow } from '../domain/tables.ts';
import { activationEntity } from './entities.ts';
import { changeTemplate } from './templates.ts';
import { markFirstLive } from './versions.ts';

/** The caller's part of an activation; the rest follows from the template and the version. */
export type NewActivation = Pick<
  ActivationRow,
  'id' | 'operation_id' | 'activated_by' | 'source' | 'note' | 'created_at'
>;

const readMoment = statement<{ at: Date }>(
  'activation-moment',
  'select clock_timestamp()::timestamptz(3) as at',
);

/**
 * The moment of an activation, by the clock of the database: a queue's batch names a moment by the same clock, and gets
 * the version that was live then. Call with the template's row locked.
 */
export const activationMoment = async (tx: Transaction): Promise<Date> => {
  const [row] = await tx.query(readMoment);
  if (!row) throw new TypeError('the database returned no time');
  return row.at;
};

/** Makes a version the live one and appends to the log; the template's row must be locked. */
export const activate = async (
  tenant: Tenant,
  tx: Transaction,
  template: TemplateRow,
  version: VersionRow,
  made: NewActivation,
): Promise<void> => {
  const activation_number = template.activation_count + 1;
  await changeTemplate(tenant, tx, template.id, {
    current_version_id: version.id,
    current_version_number: version.version_number,
    activation_count: activation_number,
    updated_at: made.created_at,
  });
  if (version.first_live_at === null) await markFirstLive(tenant, tx, version.id, made.created_at);
  await tx.orm.insert(activationEntity, {
    ...ownerOf(tenant),
    ...made,
    activation_number,
    template_id: template.id,
    version_id: version.id,
    version_number: version.version_number,
    previous_version_id: template.current_version_id,
  });
};

/** Whether the operation has changed the live version already. */
export const hasActivated = (tenant: Tenant, db: Queryable, operationId: string): Promise<boolean> =>
  db.orm.existsBy(activationEntity, { ...ownerOf(tenant), operation_id: operationId });

/** When the live version of a template or a partial was made live; null where none ever was. */
export const lastActivationAt = async (
  tenant: Tenant,
  db: Queryable,
  { id: template_id, activation_count: activation_number }: Pick<TemplateRow, 'id' | 'activation_count'>,
): Promise<Date | null> => {
  const last = { ...ownerOf(tenant), template_id, activation_number };
  return (await db.orm.findOneBy(activationEntity, last))?.created_at ?? null;
};

/** Lists the activations of a template, newest first. */
export const pageOfActivations = async (
  tenant: Tenant,
  tx: Transaction,
  templateId: string,
  { cursor, limit, offset }: GrowingPage,
): Promise<Page<ActivationRow>> => {
  const [items, total] = await tx.orm.findAndCount(activationEntity, {
    where: {
      ...ownerOf(tenant),
      template_id: templateId,
      ...(cursor !== undefined && { activation_number: LessThan(numberOfPlace(cursor)) }),
    },
    order: { activation_number: 'DESC' },
    take: limit,
    skip: offset,
  });
  return { items, total };
};
