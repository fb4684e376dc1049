import {
  authorOf,
  type InputOf,
  notFound,
  updateModal as operation,
  type Principal,
} from '@stanza/contracts';
import {
  audit,
  type CallContext,
  checkIfMatch,
  type Database,
  handle,
  type RpcClient,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { checkedSteps, checkedView } from '../checked-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorsOfSettings, withAuthors } from '../domain/author.ts';
import { auditedChanges, changesOf, type Given, isEmpty } from '../domain/changes.ts';
import { keyIsFixed } from '../domain/errors.ts';
import { changesLive } from '../domain/live-settings.ts';
import type { ModalRow } from '../domain/modal-tables.ts';
import { presentModal } from '../domain/present-modal.ts';
import { activationRightsOf } from '../read-activation-rights.ts';
import { modalKeys } from '../store/keys.ts';
import { activeVersionOf, hasBeenActive, newestModalVersion } from '../store/modal-versions.ts';
import { findModal, lockModal, writeModal } from '../store/modals.ts';
import { withinStoredBytes } from '../store/stored-bytes.ts';

type Body = InputOf<typeof operation>['body'];

const stepsOf = ({ steps }: Body): ModalRow['steps'] | undefined =>
  steps ? steps.map(({ submit_label = null, ...step }) => ({ ...step, submit_label })) : steps;

/** Who has written the steps: they count as authors of whatever version shows them. */
const stepsAuthors = (
  { steps_authors: before }: ModalRow,
  steps: ModalRow['steps'] | undefined,
  { actor }: Principal,
): string[] | null => (steps ? withAuthors(before, authorOf(actor)) : null);

const labels = ['title', 'submit_label', 'close_label'] as const;
const frame = [...labels, 'steps'] as const;

/** Compiles the changes with the active version, else with the newest one; fills the ids of the steps. */
const checkedChanges = async (
  { rpc, database, tenant }: { rpc: RpcClient; database: Database; tenant: Tenant },
  context: CallContext,
  modal: ModalRow,
  body: Body,
): Promise<Given<ModalRow>> => {
  const { key: _, ...said } = body;
  const given: Given<ModalRow> = { ...said, steps: stepsOf(body) };
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

/** Changes a modal's labels and steps; a change that does not compile is refused as a whole. */
export const updateModal = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const modal = await findModal(tenant, database, params.id);
    if (!modal) throw notFound('modal');
    const checked = await checkedChanges({ rpc, database, tenant }, context, modal, body);
    const readRights = activationRightsOf(rpc, context, principal, 'modals:write', 'settings');

    const allowance = await allowances.of(tenant.organizationId);
    const update = async (tx: Transaction) => {
      const locked = await lockModal(tenant, tx, modal.id);
      if (!locked) throw notFound('modal');
      const before = await modalKeys.withKey(tenant, tx, locked);
      const current = await activeVersionOf(tenant, tx, before);
      checkIfMatch(context, operation, presentModal(before, current));
      const changes = changesOf(before, { ...checked, key: body.key });
      if (isEmpty(changes)) return presentModal(before, current);
      const isSetting = changesLive(changes);
      if (current && isSetting) (await readRights()).needFreeSettings();
      const at = clock.now();
      const changed = {
        ...before,
        ...changes,
        ...(labels.some((key) => key in changes) && {
          settings_authors: withAuthors(authorsOfSettings(before), authorOf(principal.actor)),
        }),
        ...('steps' in changes && { steps_authors: stepsAuthors(before, changes.steps, principal) }),
        updated_at: at,
      };
      const { key, ...columns } = changes;
      if (key !== undefined) {
        if (await hasBeenActive(tenant, tx, modal.id)) throw keyIsFixed('modal', before.key);
        await modalKeys.change(tenant, tx, modal.id, key);
      }
      await writeModal(tenant, tx, changed);
      await audit(tx, outbox, context, {
        action: 'modal.updated',
        subject: { kind: 'modal', id: modal.id },
        changes: {
          ...auditedChanges<ModalRow>(before, columns),
          ...(key !== undefined && { modal_key: { from: before.key, to: key } }),
        },
        at,
      });
      return presentModal(changed, current);
    };
    return database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => update(tx)));
  });
