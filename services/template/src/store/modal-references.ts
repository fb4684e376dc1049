import { statement, type Tenant, type Transaction } from '@stanza/runtime';

const insertReferences = statement<Record<string, never>>(
  'modal-references-insert',
  `insert into modal_references (organization_id, environment, template_id, version_id, modal_id)
   select $1, $2, $3, $4, unnest($5::uuid[])`,
);

/** Notes which modals a new version of a template opens. */
export const noteOpenedModals = async (
  tenant: Tenant,
  tx: Transaction,
  { id, template_id }: { id: string; template_id: string },
  modalIds: readonly string[],
): Promise<void> => {
  if (modalIds.length === 0) return;
  await tx.query(insertReferences, [tenant.organizationId, tenant.environment, template_id, id, modalIds]);
};

const openers = statement<{ id: string; name: string }>(
  'modal-openers',
  `select template.id, template.name
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

/** The first ten templates in service whose live version opens a modal. */
export const templatesOpening = (
  tenant: Tenant,
  tx: Transaction,
  modalId: string,
): Promise<{ id: string; name: string }[]> =>
  tx.query(openers, [tenant.organizationId, tenant.environment, modalId]);
