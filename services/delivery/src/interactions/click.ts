import { type CallContext, Tenant, toCodedError } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { callFailure } from '../chat/errors.ts';
import type { ChatOutcome } from '../chat/platform.ts';
import { Deadline } from '../deadline.ts';
import { actionsOfElement, readMessageActions } from '../messages/message-actions.ts';
import { keepContent } from '../messages/store/message-contents.ts';
import { accessTo } from './access.ts';
import type { InteractivityDependencies } from './dependencies.ts';
import { type BlockActions, formOf, valueOfElement } from './interaction-payload.ts';
import type { InteractionRow } from './interaction-tables.ts';
import { logUnopened, viewOf } from './modal-view.ts';
import { type OpenModal, type Plan, planOf } from './plan.ts';
import { type ActionEnd, endAction } from './store/interaction-actions.ts';
import { findUsedMessage, type UsedMessage } from './store/interactions.ts';
import { type Incoming, writeDown } from './write-down.ts';

const keySchema = z.object({ key: z.uuid() });
/** A post says no revision: it is the first. */
const revisionSchema = z.object({ revision: z.int() });

/** The Stanza message of a used element; undefined for any other. */
const messageOf = async (
  { database }: InteractivityDependencies,
  { message, team, container }: BlockActions,
): Promise<UsedMessage | undefined> => {
  const payload = keySchema.safeParse(message?.metadata.event_payload);
  const { channel_id: channel, message_ts: messageTs } = container;
  if (!payload.success || channel === undefined || messageTs === undefined) return undefined;
  return findUsedMessage(database, payload.data.key, { workspaceId: team.id, channel, messageTs });
};

const endOf = (outcome: ChatOutcome): ActionEnd => {
  if (outcome.kind === 'ok') return { status: 'done' };
  if (outcome.kind === 'ambiguous') return { status: 'unknown', error: 'delivery_outcome_unknown' };
  const { code, facts } = callFailure('views.open', outcome);
  return { status: 'failed', error: code, errorDetails: facts.error_details };
};

/** Opens a modal while its trigger is valid, for three seconds, in a single try. */
const openNow = async (
  dependencies: InteractivityDependencies,
  tenant: Tenant,
  row: InteractionRow,
  opening: OpenModal,
  { trigger, context }: { trigger: string; context: CallContext },
): Promise<ActionEnd> => {
  try {
    const [access, view] = await Promise.all([
      accessTo(dependencies, tenant, row.workspace_id),
      viewOf(dependencies, tenant, row, { opening }, context),
    ]);
    const { outcome } = await dependencies.chat.call({
      method: 'views.open',
      args: { trigger_id: trigger, view },
      token: access.token,
      workspaceId: access.workspaceId,
      messageId: row.message_id,
      timeoutMs: Deadline.forCaller(dependencies.clock, context.deadline).remaining,
      log: dependencies.log,
    });
    return endOf(outcome);
  } catch (err) {
    const { code, facts, message } = toCodedError(err);
    logUnopened(dependencies, row, err, code);
    return { status: 'failed', error: code, errorDetails: facts.error_details ?? facts.details ?? message };
  }
};

const incomingOf = (
  { user, team, trigger_id, actions, container, state }: BlockActions,
  message: UsedMessage,
  kept: Record<string, unknown>,
  requestId: string,
): Incoming => {
  const [used] = actions;
  return {
    id: uuidv7(),
    dedupe_key: `trigger ${trigger_id}`,
    kind: 'block_actions',
    workspace_id: team.id,
    user_id: user.id,
    user_name: user.username ?? user.name ?? null,
    message_id: message.id,
    template_id: message.template_id,
    channel: container.channel_id ?? '',
    message_ts: container.message_ts ?? '',
    block_id: used?.block_id ?? null,
    action_id: used?.action_id ?? null,
    action_type: used?.type ?? null,
    value: used ? valueOfElement(used) : null,
    opened_by: null,
    form: formOf(state),
    kept,
    request_id: requestId,
  };
};

const updates = ({ now, rest }: Plan): boolean =>
  [...now, ...rest].some(({ type }) => type === 'update_message');

/**
 * Handles the use of a message's element. A modal is opened before the answer; other actions are stored and run in the
 * background.
 * @returns false when the message is not from this service
 */
export const click = async (
  dependencies: InteractivityDependencies,
  payload: BlockActions,
  context: CallContext,
): Promise<boolean> => {
  const message = await messageOf(dependencies, payload);
  if (!message) return false;
  const tenant = new Tenant(message.organization_id, message.environment);
  const told = payload.message?.metadata.event_payload;
  const said = readMessageActions(told);
  const { revision = 1 } = revisionSchema.safeParse(told).data ?? {};
  const { list = [], kept = {} } = actionsOfElement(said, payload.actions[0]?.action_id ?? '') ?? {};
  const plan = planOf(list);
  const incoming = incomingOf(payload, message, kept, context.requestId);
  const { blocks = [], text = '' } = payload.message ?? {};
  const row = await writeDown(dependencies, tenant, incoming, plan, async (tx) => {
    if (updates(plan)) await keepContent(tenant, tx, message.id, { blocks, text, ...said, revision });
  });
  if (!row || !plan.opening) return true;
  const end = await openNow(dependencies, tenant, row, plan.opening, {
    trigger: payload.trigger_id,
    context,
  });
  const key = { interaction_id: row.id, position: plan.now.length, tries: 0 };
  await endAction(tenant, dependencies.database, key, end);
  return true;
};
