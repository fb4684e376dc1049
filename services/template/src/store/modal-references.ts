import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { TemplateRow } from '../domain/tables.ts';

const insertReferences = statement<Record<string, never>>(
  'modal-references-insert',
  `insert into modal_references (organization_id, environment, template_id, version_id, modal_id)
   select $1, $2, $3, $4, unnest($5::uuid[])`,
);

/** Stores the modals that a new version of a template opens. */
export const noteOpenedModals = async (
  tenant: Tenant,
  tx: Transaction,
  { id, template_id }: { id: string; template_id: string },
  modalIds: readonly string[],
): Promise<void> => {
  if (modalIds.length === 0) return;
  await tx.query(insertReferences, [tenant.organizationId, tenant.environment, template_id, id, modalIds]);
};

/** A template or a partial that opens a modal. */
type Opener = Pick<TemplateRow, 'kind' | 'id' | 'name'>;

const openers = statement<Opener>(
  'modal-openers',
  `select template.kind, template.id, template.name
   from modal_references as reference
   join templates as template
     on template.organization_id = reference.organization_id
     and template.environment = reference.environment
     and template.id = reference.template_id
     and template.current_version_id = reference.version_id
   where reference.organization_id = $1
     and reference.environment = $2
     and reference.modal_id = $3
     and template.archived_at is null
   order by template.name, template.id
   limit 10`,
);

/** The first ten unarchived templates and partials whose live version opens a modal. */
export const whatOpens = (tenant: Tenant, tx: Transaction, modalId: string): Promise<Opener[]> =>
  tx.query(openers, [tenant.organizationId, tenant.environment, modalId]);

const opened = statement<{ id: string; name: string }>(
  'modals-opened',
  `select modal.id, modal.name
   from modal_references as reference
   join modals as modal
     on modal.organization_id = reference.organization_id
     and modal.environment = reference.environment
     and modal.id = reference.modal_id
   where reference.organization_id = $1
     and reference.environment = $2
     and reference.version_id = $3
   order by modal.name, modal.id
   limit 10`,
);

/** The first ten modals that a version opens; none for no version. */
export const modalsOpenedBy = async (
  tenant: Tenant,
  db: Queryable,
  versionId: string | null,
): Promise<{ id: string; name: string }[]> =>
  versionId === null ? [] : db.query(opened, [tenant.organizationId, tenant.environment, versionId]);

// A deletion that waits for the lock, or has come first, is seen: a row that is gone is not among the held.
const missing = statement<{ modal_id: string }>(
  'modals-missing',
  `with held as materialized (
     select id
     from modals
     where organization_id = $1
       and environment = $2
       and id in (
         select modal_id
         from modal_references
         where organization_id = $1 and environment = $2 and version_id = $3)
     order by id
     for key share
   )
   select modal_id
   from modal_references as reference
   where organization_id = $1
     and environment = $2
     and version_id = $3
     and not exists (select from held where held.id = reference.modal_id)`,
);

/** Locks the modals that a version opens against deletion until the transaction ends, and answers those that are gone. */
export const holdModalsOpenedBy = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  versionId: string,
): Promise<string[]> =>
  (await tx.query(missing, [organizationId, environment, versionId])).map((it) => it.modal_id);
