import { type InputOf, notFound, updateModal as operation } from '@stanza/contracts';
import { audit, type CallContext, type Database, handle, type RpcClient, type Tenant } from '@stanza/runtime';
import { checkedSteps, checkedView } from '../checked-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { auditedChanges, changesOf, type Given, isEmpty } from '../domain/changes.ts';
import type { ModalRow } from '../domain/modal-rows.ts';
import { presentModal } from '../domain/present-modal.ts';
import { activeVersionOf, newestModalVersion } from '../store/modal-versions.ts';
import { findModal, lockModal, writeModal } from '../store/modals.ts';

type Body = InputOf<typeof operation>['body'];

const stepsOf = ({ steps }: Body): ModalRow['steps'] | undefined =>
  steps ? steps.map(({ submit_label = null, ...step }) => ({ ...step, submit_label })) : steps;

const frame = ['title', 'submit_label', 'close_label', 'steps'] as const;

/** Compiles what is to change with the version that is shown, else with the newest one; fills the ids of the steps. */
const checkedChanges = async (
  { rpc, database, tenant }: { rpc: RpcClient; database: Database; tenant: Tenant },
  context: CallContext,
  modal: ModalRow,
  body: Body,
): Promise<Given<ModalRow>> => {
  const given: Given<ModalRow> = { ...body, steps: stepsOf(body) };
  const wanted = changesOf(modal, given);
  if (!frame.some((key) => key in wanted)) return given;
  const version =
    (await activeVersionOf(tenant, database, modal)) ??
    (await newestModalVersion(tenant, database, modal.id));
  if (!version) throw notFound('modal');
  const { blocks, sample_data, placeholder_mapping } = version;
  const after = { modal: { ...modal, ...wanted }, sample_data, placeholder_mapping };
  await checkedView(rpc, context, { ...after, blocks });
  const steps =
    after.modal.steps && (await checkedSteps(rpc, context, { ...after, steps: after.modal.steps }));
  return 'steps' in wanted ? { ...given, steps } : given;
};

/** Changes what a modal says of itself, and its steps; nothing is saved that would not compile. */
export const updateModal = ({ database, outbox, rpc, clock }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, tenant }) => {
    const modal = await findModal(tenant, database, params.id);
    if (!modal) throw notFound('modal');
    const checked = await checkedChanges({ rpc, database, tenant }, context, modal, body);

    return database.transaction(async (tx) => {
      const before = await lockModal(tenant, tx, modal.id);
      if (!before) throw notFound('modal');
      const current = await activeVersionOf(tenant, tx, before);
      const changes = changesOf(before, checked);
      if (isEmpty(changes)) return presentModal(before, current);
      const at = clock.now();
      const changed = { ...before, ...changes, updated_at: at };
      await writeModal(tenant, tx, changed);
      await audit(tx, outbox, context, {
        action: 'modal.updated',
        subject: { kind: 'modal', id: modal.id },
        changes: auditedChanges(before, changes),
        at,
      });
      return presentModal(changed, current);
    });
  });
