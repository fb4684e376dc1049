import { notFound, activateModalVersion as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { modalVersionNotFound } from '../domain/errors.ts';
import { presentModalVersion } from '../domain/present-modal.ts';
import { findModalVersion, makeActive } from '../store/modal-versions.ts';
import { lockModal } from '../store/modals.ts';

/** Makes a version the active one of its modal; whoever opens the modal after the answer sees it. */
export const activateModalVersion = ({
  database,
  outbox,
  clock,
}: Pick<Dependencies, 'database' | 'outbox' | 'clock'>) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const modal = await lockModal(tenant, tx, params.id);
      if (!modal) throw notFound('modal');
      const version = await findModalVersion(tenant, tx, modal.id, params.version_id);
      if (!version) throw modalVersionNotFound();
      const { operationId } = context;
      // Asked a second time by the same operation, another version may be active for good reason.
      if (version.status === 'active' || version.activation_operation_id === operationId) {
        return presentModalVersion(version);
      }
      const at = clock.now();
      const active = await makeActive(tenant, tx, { modal, version, operationId, at });
      await audit(tx, outbox, context, {
        action: 'modal.activated',
        subject: { kind: 'modal', id: modal.id },
        changes: { version_id: { from: modal.current_version_id, to: version.id } },
        at,
      });
      return presentModalVersion(active);
    }),
  );
