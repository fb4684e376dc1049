import { authorOf, notFound, appendModalVersion as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import { checkedView } from '../checked-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentModalVersion } from '../domain/present-modal.ts';
import { activationRightsOf } from '../read-activation-rights.ts';
import { appendModalVersionOnce } from '../store/modal-authoring.ts';
import { findModal } from '../store/modals.ts';

/** Appends the next version to a modal, a draft unless the caller activates it. */
export const appendModalVersion = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const modal = await findModal(tenant, database, params.id);
    if (!modal) throw notFound('modal');
    const { sample_data, placeholder_mapping = null, activate } = body;
    const data = { sample_data, placeholder_mapping };
    const blocks = await checkedView(rpc, context, { modal, blocks: body.blocks, ...data });
    const readRights = activate ? activationRightsOf(rpc, context, principal, 'modals:write', 'modal') : null;

    const at = clock.now();
    const made = {
      ...data,
      id: newId(),
      modal_id: modal.id,
      operation_id: context.operationId,
      blocks,
      created_by: authorOf(principal.actor),
      created_at: at,
      updated_at: at,
    };
    const version = await appendModalVersionOnce(tenant, database, made, {
      allowance: await allowances.of(tenant.organizationId),
      readRights,
      record: (tx, { id, version_number }) =>
        audit(tx, outbox, context, {
          action: 'modal.version_added',
          subject: { kind: 'modal', id: modal.id },
          changes: { version_id: id, version_number, active: activate },
          at,
        }),
    });
    if (!version) throw notFound('modal');
    return presentModalVersion(version);
  });
