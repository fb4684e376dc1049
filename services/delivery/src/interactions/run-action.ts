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
import { checkActive } from '../active-organization.ts';
import { Deadline } from '../deadline.ts';
import { payloadIn } from '../messages/message.ts';
import { readMessageActions } from '../messages/message-actions.ts';
import { changeContent, lockContent, takeBackContent } from '../messages/store/message-contents.ts';
import type { Verdict } from '../messages/verdict.ts';
import { isTransient, isUnexpected, retryAfterMs } from '../transient.ts';
import type { InteractivityDependencies } from './dependencies.ts';
import { factsOf } from './facts.ts';
import { fillBlocks, fillNamed } from './fill.ts';
import type { InteractionActionRow, InteractionRow } from './interaction-tables.ts';
import { actionSchema, type MessageAction } from './plan.ts';
import { contentGone, showContent } from './show-content.ts';
import { type ActionEnd, endAction, markActionApplied, postponeAction } from './store/interaction-actions.ts';
import { findInteraction } from './store/interactions.ts';
import { updateContent } from './update-content.ts';

/** Timeout of a try, milliseconds. */
export const tryMs = 10_000;
/** Timeout of posting an update, milliseconds. */
const postMs = 8_000;
/** Tries after which a transient error ends the action; with the backoff, some ten minutes. */
const maxTries = 60;

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

/** Names an update in the content that it has replaced. */
const nameOf = ({ interaction_id, position }: InteractionActionRow): string =>
  `${interaction_id} ${position}`;

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
    if (!before) throw contentGone();
    await markActionApplied(tenant, tx, action);
    const place = { strategy: update.strategy, blockId: blockId ?? interaction.block_id ?? undefined, added };
    const after = updateContent(before, place, () => `s-${uuidv4()}`);
    await changeContent(tenant, tx, interaction.message_id, { ...after, by: nameOf(action) });
  });
  task.isApplied = true;
};

/** Updating a message is idempotent: every transient outcome is retried, and so is one whose turn did not come. */
const endOf = (verdict: Verdict): ActionEnd => {
  if (verdict.status === 'sent') return { status: 'done' };
  if (verdict.status === 'unknown') throw new CodedError('service_unavailable');
  const { code, facts } = verdict.error;
  if (isTransient(verdict.error)) throw verdict.error;
  if (facts.nothing_done) throw new CodedError('service_unavailable', { retry_after: 1 });
  return { status: 'failed', error: code, errorDetails: facts.error_details };
};

/** Writes the end of the action under this process's lease. */
const end = async (
  db: Queryable,
  { tenant, action }: Pick<Task, 'tenant' | 'action'>,
  how: ActionEnd,
): Promise<void> => {
  if (!(await endAction(tenant, db, action, how))) throw new LostLease();
};

/**
 * Writes the end of an action. An update that the message does not show is taken back, so that the next one builds on what
 * the message shows.
 */
const endTask = (
  { database }: Pick<InteractivityDependencies, 'database'>,
  task: Task,
  how: ActionEnd,
): Promise<void> => {
  const { tenant, interaction, action } = task;
  if (how.status !== 'failed' || !task.isApplied) return end(database, task, how);
  return database.transaction(async (tx) => {
    // The content first, as when it is applied.
    await takeBackContent(tenant, tx, interaction.message_id, nameOf(action));
    await end(tx, task, how);
  });
};

const update = async (dependencies: InteractivityDependencies, task: Task, action: Update): Promise<void> => {
  if (!task.isApplied) await apply(dependencies, task, action);
  await endTask(dependencies, task, endOf(await showContent(dependencies, task)));
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
  // An update that is applied may show already, and goes on to its outcome.
  if (!task.isApplied) await checkActive(dependencies, task.tenant, task.context);
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
    dependencies.log.error({ err }, 'an interaction action failed unexpectedly');
  }
  const isRetried = isTransient(error) || isUnexpected(error);
  if (isRetried && action.tries < maxTries) {
    return postponeAction(tenant, dependencies.database, action, retryAfterMs(error, action.tries), code);
  }
  const errorDetails = facts.error_details ?? facts.details ?? message;
  const status = task.isApplied && isRetried ? 'unknown' : 'failed';
  await endTask(dependencies, task, { status, error: code, errorDetails });
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
