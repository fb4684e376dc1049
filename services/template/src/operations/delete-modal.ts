import { listTemplates, mayCall, notFound, deleteModal as operation } from '@stanza/contracts';
import { auditDeletion, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { needsUnopened } from '../domain/deletion.ts';
import { whatOpens } from '../store/modal-references.ts';
import { lockModal, removeModal } from '../store/modals.ts';

/** Deletes a modal that no unarchived template or partial opens. */
export const deleteModal = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant, principal }) =>
    database.transaction(async (tx) => {
      const modal = await lockModal(tenant, tx, params.id);
      if (!modal) throw notFound('modal');
      const isNamed = mayCall(principal, listTemplates);
      const openers = await whatOpens(tenant, tx, modal.id);
      needsUnopened(openers.map(({ kind, id, name }) => ({ kind, id, name: isNamed ? name : undefined })));
      await removeModal(tenant, tx, modal.id);
      const changes = { name: modal.name, versions: modal.last_version_number };
      return auditDeletion(tx, outbox, context, { kind: 'modal', id: modal.id, changes, at: clock.now() });
    }),
  );
