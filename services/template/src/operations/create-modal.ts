import { authorOf, createModal as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import { checkedView } from '../checked-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentModal, presentModalVersion } from '../domain/present-modal.ts';
import { activationRightsOf } from '../read-activation-rights.ts';
import { insertModalOnce } from '../store/modal-authoring.ts';
import { storedModals } from '../store/stored.ts';

/** Creates a modal and its version 1, a draft unless the caller activates it. */
export const createModal = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const { name, title, submit_label, close_label, sample_data, activate } = body;
    const said = { title, submit_label, close_label };
    const data = { sample_data, placeholder_mapping: null };
    const blocks = await checkedView(rpc, context, { modal: said, blocks: body.blocks, ...data });
    const readRights = activate ? activationRightsOf(rpc, context, principal, 'modals:write', 'modal') : null;

    const allowance = await allowances.of(tenant.organizationId);
    const at = clock.now();
    const origin = {
      operation_id: context.operationId,
      created_by: authorOf(principal.actor),
      created_at: at,
      updated_at: at,
    };
    const id = newId();
    const made = {
      key: body.key,
      modal: {
        ...origin,
        ...said,
        id,
        name,
        description: body.description ?? null,
        steps: null,
        steps_authors: null,
        settings_authors: null,
        current_version_id: null,
        last_version_number: 1,
      },
      version: { ...origin, ...data, id: newId(), modal_id: id, blocks },
    };
    const { modal, version } = await insertModalOnce(tenant, database, made, {
      allowance,
      readRights,
      check: (tx) => storedModals.check(tenant, tx, allowance, context.operationId),
      record: (tx, saved) =>
        audit(tx, outbox, context, {
          action: 'modal.created',
          subject: { kind: 'modal', id },
          changes: { name, version_id: saved.version.id, active: activate },
          at,
        }),
    });
    const current = version.status === 'active' ? version : null;
    return { ...presentModal(modal, current), version: presentModalVersion(version) };
  });
