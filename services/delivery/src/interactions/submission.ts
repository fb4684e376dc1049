import type { CodedError } from '@stanza/contracts';
import { type CallContext, Tenant, toCodedError } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { isRetryable } from '../transient.ts';
import type { InteractivityDependencies } from './dependencies.ts';
import { formOf, type ViewSubmission } from './interaction-payload.ts';
import type { InteractionRow } from './interaction-tables.ts';
import { logUnopened, type ModalState, readState, viewOf } from './modal-view.ts';
import { actionSchema, type Plan, planOf, readActions } from './plan.ts';
import { type ActionEnd, endOpening } from './store/interaction-actions.ts';
import { enterAgain, findDelivered, findInteraction, keepResponse } from './store/interactions.ts';
import { type Incoming, writeDown } from './write-down.ts';

type Response = { response_action?: 'update'; view?: Record<string, unknown> };

/** The effect of a submission: the next step is shown, or the waiting actions are run. */
const planFor = (opener: InteractionRow, { step, steps }: ModalState): Plan => {
  const opening = actionSchema.safeParse(opener.opening).data;
  if (opening?.type === 'open_modal' && step + 1 < steps) {
    return { now: [], opening: { ...opening, step: step + 1 }, rest: readActions(opener.rest) };
  }
  return planOf(opener.rest);
};

const incomingOf = (
  { user, team, view }: ViewSubmission,
  opener: InteractionRow,
  requestId: string,
): Incoming => {
  return {
    ...opener,
    id: uuidv7(),
    dedupe_key: `view ${team.id} ${view.id} ${view.hash}`,
    kind: 'view_submission',
    workspace_id: team.id,
    user_id: user.id,
    user_name: user.username ?? user.name ?? null,
    opened_by: opener.id,
    form: { ...opener.form, ...formOf(view.state) },
    request_id: requestId,
  };
};

/**
 * Answers with the next view. This has no effect, so a repeat may make it again.
 * @returns an error that may pass without a response: the platform keeps the modal open, with what is entered
 */
const showNext = async (
  dependencies: InteractivityDependencies,
  tenant: Tenant,
  row: InteractionRow,
  versionId: string,
  context: CallContext,
): Promise<{ response: Response; end: ActionEnd } | { passing: CodedError; end: ActionEnd }> => {
  const opening = actionSchema.safeParse(row.opening).data;
  if (opening?.type !== 'open_modal') return { response: {}, end: { status: 'done' } };
  try {
    // A step of the submitted modal keeps its version; another modal starts with its active one.
    const before = opening.step > 0 ? versionId : undefined;
    const view = await viewOf(dependencies, tenant, row, { opening, versionId: before }, context);
    return { response: { response_action: 'update', view }, end: { status: 'done' } };
  } catch (err) {
    const error = toCodedError(err);
    const { code, facts, message } = error;
    logUnopened(dependencies, row, err, code);
    const errorDetails = facts.error_details ?? facts.details ?? message;
    const end: ActionEnd = { status: 'failed', error: code, errorDetails };
    return isRetryable(error) ? { passing: error, end } : { response: {}, end };
  }
};

const positionOfOpening = ({ now }: Plan): number => now.length;

/**
 * Handles the submission of a modal.
 * @returns the answer; undefined when the modal is not from this service
 * @throws CodedError when the next step cannot be made now: the person may submit again
 */
export const submit = async (
  dependencies: InteractivityDependencies,
  payload: ViewSubmission,
  context: CallContext,
): Promise<Response | undefined> => {
  const state = readState(payload.view.private_metadata);
  if (!state) return undefined;
  const tenant = new Tenant(state.organizationId, state.environment);
  const opener = await findInteraction(tenant, dependencies.database, state.interactionId);
  if (!opener || opener.workspace_id !== payload.team.id) return undefined;
  const plan = planFor(opener, state);
  const incoming = incomingOf(payload, opener, context.requestId);
  const written = await writeDown(dependencies, tenant, incoming, plan);
  const row = written ?? (await findDelivered(tenant, dependencies.database, incoming.dedupe_key));
  if (!row || !plan.opening) return {};
  if (row.response) return row.response;
  if (!written) await enterAgain(tenant, dependencies.database, row.id, incoming.form);
  const entered = { ...row, form: incoming.form };
  const shown = await showNext(dependencies, tenant, entered, state.versionId, context);
  const key = { interaction_id: row.id, position: positionOfOpening(plan) };
  await endOpening(tenant, dependencies.database, key, shown.end);
  if ('passing' in shown) throw shown.passing;
  await keepResponse(tenant, dependencies.database, row.id, shown.response);
  return shown.response;
};
