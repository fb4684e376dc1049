import { type InputOf, jobSubjectOf, settleReservation } from '@stanza/contracts';
import {
  type Clock,
  coalesce,
  type Database,
  type Metrics,
  newId,
  type Outbox,
  type Tracing,
  type Transaction,
} from '@stanza/runtime';
import { type ChannelName, claimSlots, type Slot } from '../chat/store/channel-slots.ts';
import { type Deadline, minPostMs } from '../deadline.ts';
import type { CountEvents } from '../events/store/recording.ts';
import { endChange } from './end-change.ts';
import { isRequest, type PreparedMessage } from './message.ts';
import { report, type SettledMessage, settle, settledItem } from './settle.ts';
import { type Beginning, type Begun, beginMessages } from './store/beginnings.ts';
import {
  beginPostings,
  type Ending,
  endAndSettleMessages,
  endMessages,
  type Posting,
} from './store/postings.ts';

/** Most messages of one statement. */
const maxMessages = 128;
/** Fewer where posts wait for it, so that the first are posted while the next are written. */
const maxPostings = 25;

/** Most sends that begin in one statement. */
const maxBeginnings = 32;

/** A request for the next slot of a channel before a deadline. */
export interface TimedWish extends ChannelName {
  deadline: Deadline;
}

/** A message and its outcome. */
export interface Ended {
  message: PreparedMessage;
  ending: Ending;
}

/**
 * The writes about messages in flight. Those of one organization, or of one workspace, that arrive during a statement
 * are coalesced into the next, so many messages cost little more than one. Organizations do not wait for each other.
 */
export interface SharedWrites {
  /** Begins the messages of a request. */
  begin: (beginning: Beginning) => Promise<Begun>;
  /** Takes the next slot of a channel, unless it is later than the deadline. */
  claimSlot: (wish: TimedWish) => Promise<Slot>;
  /** Records that a post begins, and returns when; undefined when it must not begin. */
  beginPosting: (posting: Posting) => Promise<Date | undefined>;
  /** Writes an outcome, settles it and reports it to the origin; false when the message has one. */
  end: (ended: Ended) => Promise<boolean>;
}

/** The dependencies of the writes. */
export interface SharedWritesDependencies {
  database: Database;
  outbox: Outbox;
  clock: Clock;
  metrics: Metrics;
  tracing: Tracing;
  countEvents: CountEvents;
}

/** Whether an outcome costs a credit; the channel already showed what a change that was not made was to show. */
const isCharged = (ending: Ending): boolean => ending.status === 'sent' && ending.unchanged === undefined;

const settledOf = ({ message: { item, id, revises, creditLogId }, ending }: Ended): SettledMessage => ({
  item,
  messageId: revises?.id ?? id,
  creditLogId,
  charged: isCharged(ending),
});

/** Settles messages, those of one operation together. */
const settleAll = async (outbox: Outbox, tx: Transaction, ended: readonly Ended[]): Promise<void> => {
  const operations = Map.groupBy(ended, ({ message }) => message.context.operationId);
  for (const [operationId, [first, ...rest]] of operations) {
    if (!first) continue;
    await settle(outbox, tx, first.message.tenant, operationId, [first, ...rest].map(settledOf));
  }
};

const reportOne = (outbox: Outbox, tx: Transaction, { message, ending }: Ended): Promise<void> => {
  const { tenant, context, origin, originId, id, creditLogId } = message;
  const reported = {
    operation_id: context.operationId,
    origin,
    origin_id: originId,
    message_id: id,
    credit_log_id: ending.status === 'sent' ? creditLogId : undefined,
    status: ending.status,
    error: ending.status === 'sent' ? undefined : ending.error,
  };
  return report(outbox, tx, tenant, reported);
};

/** Outcomes and settlements in one transaction: a message is charged exactly when its row says sent. */
const endAll = (
  { database, outbox, countEvents }: SharedWritesDependencies,
  all: readonly Ended[],
): Promise<boolean[]> =>
  database.transaction(async (tx) => {
    const rows = all.map(({ message: { tenant, id, fence, journal }, ending }) => ({
      tenant,
      id,
      fence,
      ending,
      attempts: journal,
    }));
    const first = await endMessages(tx, rows, countEvents);
    const ended = all.filter(({ message }) => first.has(message.id));
    await settleAll(outbox, tx, ended);
    for (const one of ended) await reportOne(outbox, tx, one);
    return all.map(({ message }) => first.has(message.id));
  });

/** The settlements of messages of one organization, by operation; undefined without messages. */
const settlementsOf = (
  organizationId: string,
  ended: readonly Ended[],
): InputOf<typeof settleReservation> | undefined => {
  const operations = Map.groupBy(ended, ({ message }) => message.context.operationId);
  const [settlement, ...others] = [...operations].flatMap(([operation_id, messages]) => {
    const [first] = messages;
    if (!first) return [];
    const items = messages.map((one) => settledItem(settledOf(one)));
    return [{ environment: first.message.tenant.environment, operation_id, items }];
  });
  return settlement && { organization_id: organizationId, ...settlement, others };
};

/**
 * The same for requests of one organization, in one statement: they have no origin to report to. Their settlements are one
 * row of the outbox, which is run from memory.
 */
const endRequests = async (
  { database, outbox, tracing, countEvents }: SharedWritesDependencies,
  organizationId: string,
  all: readonly Ended[],
): Promise<boolean[]> => {
  const rows = all.map((one) => {
    const { ending, message } = one;
    const { tenant, id, fence, journal, context, revises } = message;
    const settled = { operationId: context.operationId, settled: settledItem(settledOf(one)) };
    const updated = revises && { updates: revises.id, isFree: !isCharged(ending) };
    return { tenant, id, fence, ending, attempts: journal, ...settled, ...updated };
  });
  const id = newId();
  const facts = { subject: jobSubjectOf(settleReservation), traceparent: tracing.current() ?? null };
  const first = await endAndSettleMessages(database, organizationId, rows, { id, ...facts }, countEvents);
  const ended = all.filter(({ message }) => first.has(message.id));
  const work = settlementsOf(organizationId, ended);
  if (work) outbox.run([{ id, kind: 'work', input: work, ...facts }]);
  return all.map(({ message }) => first.has(message.id));
};

/** Makes the writes of a process. */
export const createSharedWrites = (dependencies: SharedWritesDependencies): SharedWrites => {
  const { database, metrics } = dependencies;
  const facts = { maxBatch: maxMessages, metrics };
  const beginSends = coalesce<Beginning, Begun>({
    ...facts,
    maxBatch: maxBeginnings,
    name: 'begin-sends',
    gatherMs,
    key: ({ tenant }) => tenant.organizationId,
    run: (beginnings, organizationId) => beginMessages(database, organizationId, beginnings, minPostMs),
  });
  // A bulk send is large enough for a statement of its own. Those of one organization wait for the same channels, so
  // that they begin one after the other in any case: here they wait without a connection, which others need.
  const beginBulk = coalesce<Beginning, Begun>({
    ...facts,
    maxBatch: 1,
    name: 'begin-bulk-sends',
    key: ({ tenant }) => tenant.organizationId,
    run: (beginnings, organizationId) => beginMessages(database, organizationId, beginnings, minPostMs),
  });
  const ofOrganization = ({ message }: Ended) => message.tenant.organizationId;
  const endRequest = coalesce<Ended, boolean>({
    ...facts,
    name: 'end-messages',
    gatherMs,
    key: ofOrganization,
    run: (all, organizationId) => endRequests(dependencies, organizationId, all),
  });
  // The messages of a bulk send are many enough without those of others. They gather while others of it are on their way,
  // since each statement has a settlement of its own; the answer waits for the last, which nothing is left to wait for.
  const endBulk = coalesce<Ended, boolean>({
    ...facts,
    name: 'end-bulk-messages',
    gatherMs,
    isLast: ({ message: { outstanding } }) => (outstanding?.messages ?? 0) === 0,
    key: ofOrganization,
    run: (all, organizationId) => endRequests(dependencies, organizationId, all),
  });
  const endDeferred = coalesce<Ended, boolean>({
    ...facts,
    name: 'end-deferred-messages',
    key: ofOrganization,
    run: (all) => endAll(dependencies, all),
  });
  const endUpdate = coalesce<Ended, boolean>({
    ...facts,
    name: 'end-updates',
    gatherMs,
    key: ofOrganization,
    run: (all, organizationId) => endRequests(dependencies, organizationId, all),
  });
  const endings = { send: endRequest, bulk: endBulk, batch: endDeferred, schedule: endDeferred };
  return {
    begin: (beginning) => (beginning.messages.length === 1 ? beginSends : beginBulk)(beginning),
    claimSlot: coalesce<TimedWish, Slot>({
      ...facts,
      name: 'claim-slots',
      key: (wish) => wish.workspace_id,
      // The time that a wish has waited for its statement is no longer left.
      run: (wishes) =>
        claimSlots(
          database,
          wishes.map(({ deadline, ...channel }) => ({ ...channel, patienceMs: deadline.remaining })),
        ),
    }),
    beginPosting: coalesce<Posting, Date | undefined>({
      ...facts,
      maxBatch: maxPostings,
      name: 'begin-postings',
      key: ({ tenant }) => tenant.organizationId,
      run: async (postings) => {
        const begun = await beginPostings(database, postings, minPostMs);
        return postings.map(({ id }) => begun.get(id));
      },
    }),
    end: (ended) => {
      const { message, ending } = ended;
      const { revises } = message;
      if (revises?.change === 'update' && isRequest(message.origin)) return endUpdate(ended);
      if (revises) return endChange(dependencies, { ...message, revises }, ending);
      return endings[message.origin](ended);
    },
  };
};

/**
 * Milliseconds for which the steps of sends gather under load, so that those of an organization are made together. A
 * sender with one request in flight never waits.
 */
export const gatherMs = 20;
