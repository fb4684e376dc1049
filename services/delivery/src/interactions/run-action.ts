import { CodedError, notFound } from '@stanza/contracts';
import {
  type CallContext,
  LostLease,
  newContext,
  type Queryable,
  Tenant,
  toCodedError,
} from '@stanza/runtime';
import { v4 as uuidv4, v5 as uuidv5 } from 'uuid';
import { callFailure, isFinal } from '../chat/errors.ts';
import type { ChatOutcome } from '../chat/platform.ts';
import { Deadline } from '../deadline.ts';
import { eventType, payloadIn } from '../messages/message.ts';
import { payloadOfActions, readMessageActions } from '../messages/message-actions.ts';
import { changeContent, findContent, lockContent } from '../messages/store/message-contents.ts';
import { isTransient, isUnexpected, retryAfterMs } from '../transient.ts';
import { accessTo } from './access.ts';
import type { InteractivityDependencies } from './dependencies.ts';
import { factsOf } from './facts.ts';
import { fillBlocks, fillNamed } from './fill.ts';
import type { InteractionActionRow, InteractionRow } from './interaction-tables.ts';
import { actionSchema, type MessageAction } from './plan.ts';
import { type ActionEnd, endAction, markActionApplied, postponeAction } from './store/interaction-actions.ts';
import { findInteraction } from './store/interactions.ts';
import { updateContent } from './update-content.ts';

/** Timeout of a try, milliseconds. */
export const tryMs = 10_000;
/** Timeout of posting an update, milliseconds. */
const postMs = 8_000;
/** Tries after which a transient error ends the action; with the backoff, some ten minutes. */
const mostTries = 60;

interface Task {
  tenant: Tenant;
  interaction: InteractionRow;
  action: InteractionActionRow;
  context: CallContext;
  /** Deadline of this try; its lease is longer. */
  deadline: Deadline;
  /** Whether this try or an earlier one has applied the update: from then on the message may show it. */
  isApplied: boolean;
}

type Update = Extract<MessageAction, { type: 'update_message' }>;
type Destination = Extract<MessageAction, { type: 'call_destination' }>;

const gone = (): CodedError => new CodedError('not_found', { message: 'The message content has expired.' });

/** Applies the update to the message's content, once over all tries. */
const apply = async (dependencies: InteractivityDependencies, task: Task, update: Update): Promise<void> => {
  const { tenant, interaction, action, context } = task;
  const limits = { context, deadline: task.deadline.before(postMs) };
  const message = await fillBlocks(dependencies, tenant, interaction, update.blocks, limits);
  const added = {
    blocks: message.blocks,
    text: message.text,
    ...readMessageActions(payloadIn(message.metadata)),
  };
  const blockId = update.strategy === 'replace_block' ? update.block_id : undefined;
  await dependencies.database.transaction(async (tx) => {
    const before = await lockContent(tenant, tx, interaction.message_id);
    if (!before) throw gone();
    await markActionApplied(tenant, tx, action);
    const place = { strategy: update.strategy, blockId: blockId ?? interaction.block_id ?? undefined, added };
    const after = updateContent(before, place, () => `s-${uuidv4()}`);
    await changeContent(tenant, tx, interaction.message_id, after);
  });
  task.isApplied = true;
};

const endOf = (outcome: ChatOutcome): ActionEnd => {
  if (outcome.kind === 'ok') return { status: 'done' };
  if (outcome.kind === 'refused' && isFinal(outcome)) {
    const { code, facts } = callFailure('chat.update', outcome);
    return { status: 'failed', error: code, errorDetails: facts.error_details };
  }
  const asked = outcome.kind === 'rate_limited' ? { retry_after: outcome.retryAfter } : {};
  // Updating a message is idempotent: every transient outcome is retried.
  throw new CodedError(outcome.kind === 'rate_limited' ? 'rate_limited' : 'service_unavailable', asked);
};

const post = async (dependencies: InteractivityDependencies, task: Task): Promise<ActionEnd> => {
  const { tenant, interaction } = task;
  const { message_id: id, channel, message_ts: ts } = interaction;
  const [access, content] = await Promise.all([
    accessTo(dependencies, tenant, interaction.workspace_id),
    findContent(tenant, dependencies.database, id),
  ]);
  if (!content) throw gone();
  // Without the check, a process frozen here would show an older state of the message.
  if (task.deadline.remaining === 0) throw new LostLease();
  const { outcome } = await dependencies.chat.call({
    method: 'chat.update',
    args: {
      channel,
      ts,
      blocks: content.blocks,
      text: content.text,
      metadata: { event_type: eventType, event_payload: { ...payloadOfActions(content), key: id } },
    },
    token: access.token,
    workspaceId: access.workspaceId,
    messageId: id,
    timeoutMs: postMs,
    log: dependencies.log,
  });
  return endOf(outcome);
};

/** Writes the end of the action under this process's lease. */
const end = async (
  db: Queryable,
  { tenant, action }: Pick<Task, 'tenant' | 'action'>,
  how: ActionEnd,
): Promise<void> => {
  if (!(await endAction(tenant, db, action, how))) throw new LostLease();
};

const update = async (dependencies: InteractivityDependencies, task: Task, action: Update): Promise<void> => {
  if (!task.isApplied) await apply(dependencies, task, action);
  await end(dependencies.database, task, await post(dependencies, task));
};

/** Orders the delivery and ends the action in one transaction: the delivery has its own outcome. */
const callDestination = async (
  dependencies: InteractivityDependencies,
  { tenant, interaction, action, context }: Task,
  { destination_id: id, payload: template }: Destination,
): Promise<void> => {
  const call = { id, data: template ?? {} };
  const filled = await fillNamed(dependencies, tenant, interaction, call, context);
  if (filled.id === undefined) throw notFound('destination');
  const { id: destinationId } = filled;
  const payload = template === undefined ? factsOf(interaction) : filled.data;
  await dependencies.database.transaction(async (tx) => {
    // The same for each try of the action, so that the delivery is ordered once.
    const operationId = uuidv5(`call_destination ${action.position}`, interaction.id);
    const order = { destinationId, payload, interactionId: interaction.id, operationId };
    const deliveryId = await dependencies.deliverTo(tenant, tx, order);
    await end(tx, { tenant, action }, { status: 'done', deliveryId });
  });
};

const run = async (dependencies: InteractivityDependencies, task: Task): Promise<void> => {
  const action = actionSchema.parse(task.action.action);
  if (action.type === 'update_message') return update(dependencies, task, action);
  if (action.type === 'call_destination') return callDestination(dependencies, task, action);
  throw new Error('a modal is opened inside its request');
};

const afterError = async (
  dependencies: InteractivityDependencies,
  task: Task,
  err: unknown,
): Promise<void> => {
  const { tenant, action } = task;
  const error = toCodedError(err);
  const { code, facts, message } = error;
  if (code === 'internal_error') {
    dependencies.log.error({ err }, 'an action of an interaction met an unexpected error');
  }
  const isRetried = isTransient(error) || isUnexpected(error);
  if (isRetried && action.tries < mostTries) {
    return postponeAction(tenant, dependencies.database, action, retryAfterMs(error, action.tries), code);
  }
  const errorDetails = facts.error_details ?? facts.details ?? message;
  const status = task.isApplied && isRetried ? 'unknown' : 'failed';
  await end(dependencies.database, task, { status, error: code, errorDetails });
};

/**
 * Runs a due action, continuing after its last try.
 * @throws LostLease when another process has claimed the action in the meantime
 */
export const runAction = async (
  dependencies: InteractivityDependencies,
  action: InteractionActionRow,
): Promise<void> => {
  const tenant = new Tenant(action.organization_id, action.environment);
  const interaction = await findInteraction(tenant, dependencies.database, action.interaction_id);
  if (!interaction) throw new Error('an action has no interaction');
  const context = newContext({
    requestId: interaction.request_id,
    deadlineMs: tryMs,
    ...(action.traceparent !== null && { traceparent: action.traceparent }),
  });
  const deadline = Deadline.in(dependencies.clock, tryMs);
  const task = { tenant, interaction, action, context, deadline, isApplied: action.applied };
  try {
    await run(dependencies, task);
  } catch (err) {
    if (err instanceof LostLease) throw err;
    await afterError(dependencies, task, err);
  }
};
