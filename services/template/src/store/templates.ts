import type { InputOf, listTemplates, Page } from '@stanza/contracts';
import {
  type Database,
  type Keyed,
  ownerOf,
  type Queryable,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { ListedTemplateRow, TemplateKind, TemplateRow } from '../domain/tables.ts';
import { templateArchivalEntity, templateEntity } from './entities.ts';
import { templateKeys } from './keys.ts';
import { pageOf } from './named-list.ts';
import { withNewestOfTemplates } from './newest-versions.ts';
import { atOneMoment } from './snapshot.ts';

/** The filters, order and page of a list of templates. */
export type TemplateQuery = InputOf<typeof listTemplates>['query'];

/** Reads a template, or a partial where that is asked for. */
export const findTemplate = (
  tenant: Tenant,
  db: Queryable,
  id: string,
  kind: TemplateKind = 'template',
): Promise<TemplateRow | null> => db.orm.findOneBy(templateEntity, { ...ownerOf(tenant), id, kind });

/** Reads a partial with its key: both at one moment, since between two it may be deleted. */
export const findKeyedPartial = (
  tenant: Tenant,
  database: Database,
  id: string,
): Promise<Keyed<TemplateRow> | null> =>
  atOneMoment(database, async (tx) => {
    const partial = await findTemplate(tenant, tx, id, 'partial');
    return partial && templateKeys.withKey(tenant, tx, partial);
  });

/** Reads a template, or a partial where that is asked for, and locks it against changes until the transaction ends. */
export const lockTemplate = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  kind: TemplateKind = 'template',
): Promise<TemplateRow | null> =>
  tx.orm.findOne(templateEntity, {
    where: { ...ownerOf(tenant), id, kind },
    lock: { mode: 'pessimistic_write' },
  });

/** Locks a template against deletion until the transaction ends; false for an unknown one. */
export const holdTemplate = async (tenant: Tenant, tx: Transaction, id: string): Promise<boolean> => {
  const held = await tx.orm.findOne(templateEntity, {
    select: { id: true },
    where: { ...ownerOf(tenant), id, kind: 'template' },
    lock: { mode: 'for_key_share' },
  });
  return held !== null;
};

/** Reads a template or a partial. */
export const findTemplateOrPartial = (
  tenant: Tenant,
  db: Queryable,
  id: string,
): Promise<TemplateRow | null> => db.orm.findOneBy(templateEntity, { ...ownerOf(tenant), id });

/** Locks a template or a partial against changes until the transaction ends. */
export const lockTemplateOrPartial = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
): Promise<TemplateRow | null> =>
  tx.orm.findOne(templateEntity, {
    where: { ...ownerOf(tenant), id },
    lock: { mode: 'pessimistic_write' },
  });

/** Changes columns of a template. */
export const changeTemplate = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Partial<TemplateRow>,
): Promise<void> => {
  await tx.orm.update(templateEntity, { ...ownerOf(tenant), id }, changes);
};

/** When an unarchived template had been archived; null where it never was. */
export const lastArchivedAt = async (tenant: Tenant, tx: Transaction, id: string): Promise<Date | null> => {
  const found = await tx.orm.findOneBy(templateArchivalEntity, { ...ownerOf(tenant), template_id: id });
  return found?.last_archived_at ?? null;
};

/** Stores when a template had been archived that is now unarchived. */
export const noteArchival = async (tenant: Tenant, tx: Transaction, id: string, at: Date): Promise<void> => {
  const archival = { ...ownerOf(tenant), template_id: id, last_archived_at: at };
  await tx.orm.upsert(templateArchivalEntity, archival, ['organization_id', 'environment', 'template_id']);
};

/** Deletes a template with its versions and activations; its sample data stays, without the reference. */
export const removeTemplate = async (tenant: Tenant, tx: Transaction, id: string): Promise<void> => {
  await tx.orm.delete(templateEntity, { ...ownerOf(tenant), id });
};

/** That the live version of a template opens a modal. */
const opening = `exists (
  select from modal_references as opened
  where opened.organization_id = template.organization_id
    and opened.environment = template.environment
    and opened.template_id = template.id
    and opened.version_id = template.current_version_id
    and opened.modal_id = :opens_modal)`;

/** Lists templates, or partials; page and total come from one snapshot. */
export const pageOfTemplates = (
  tenant: Tenant,
  database: Database,
  { lifecycle, type, live, agent_sends, opens_modal, ...page }: TemplateQuery,
  kind: TemplateKind = 'template',
): Promise<Page<ListedTemplateRow>> => {
  return atOneMoment(database, async (tx) => {
    const query = tx.orm.createQueryBuilder(templateEntity, 'template').where({ ...ownerOf(tenant), kind });
    if (lifecycle === 'active') query.andWhere('template.archived_at is null');
    if (lifecycle === 'archived') query.andWhere('template.archived_at is not null');
    if (type !== undefined) query.andWhere({ type });
    if (live !== undefined)
      query.andWhere(`template.current_version_id is ${live === 'true' ? 'not null' : 'null'}`);
    if (agent_sends !== undefined) query.andWhere({ agent_sends: agent_sends === 'true' });
    if (opens_modal !== undefined) query.andWhere(opening, { opens_modal });
    const { items, total } = await pageOf(query, page, 'template_keys');
    const keyed = await templateKeys.withKeys(tenant, tx, items);
    return { items: await withNewestOfTemplates(tenant, tx, keyed), total };
  });
};
