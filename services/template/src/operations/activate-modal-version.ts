import { notFound, activateModalVersion as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { modalVersionNotFound } from '../domain/errors.ts';
import { presentModalVersion } from '../domain/present-modal.ts';
import { activationRightsOf } from '../read-activation-rights.ts';
import { activeVersionOf, findModalVersion, makeActive } from '../store/modal-versions.ts';
import { lockModal } from '../store/modals.ts';

/** Makes a version the active one of its modal; clicks after the answer open it. */
export const activateModalVersion = ({ database, outbox, rpc, clock }: Dependencies) =>
  handle(operation, async ({ input: { params }, context, principal, tenant }) => {
    const readRights = activationRightsOf(rpc, context, principal, 'modals:write', 'modal');
    return database.transaction(async (tx) => {
      const modal = await lockModal(tenant, tx, params.id);
      if (!modal) throw notFound('modal');
      const version = await findModalVersion(tenant, tx, modal.id, params.version_id);
      if (!version) throw modalVersionNotFound();
      const { operationId } = context;
      // A repeat of the operation changes nothing: another version may have been activated since.
      if (version.status === 'active' || version.activation_operation_id === operationId) {
        return presentModalVersion(version);
      }
      const before = await activeVersionOf(tenant, tx, modal);
      const at = clock.now();
      const active = await makeActive(tenant, tx, { modal, version, operationId, at, readRights });
      await audit(tx, outbox, context, {
        action: 'modal.activated',
        subject: { kind: 'modal', id: modal.id },
        changes: {
          version_id: { from: modal.current_version_id, to: version.id },
          version_number: { from: before?.version_number ?? null, to: version.version_number },
        },
        at,
      });
      return presentModalVersion(active);
    });
  });
