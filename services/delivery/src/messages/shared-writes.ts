import {
  type Clock,
  coalesce,
  type Database,
  type Metrics,
  type Outbox,
  type Transaction,
} from '@stanza/runtime';
import { claimSlots, type Slot, type SlotWish } from '../chat/store/channel-slots.ts';
import type { PreparedMessage } from './message.ts';
import { report, settle } from './settle.ts';
import { beginPostings, type Ending, endMessages, type Posting } from './store/postings.ts';

/** Messages that one statement writes about, at most. */
const mostMessages = 128;
/** Fewer, where posts wait for it: the first of them are on their way while the next are still written down. */
const mostPostings = 25;

/** A message on its way, and how it has ended. */
export interface Ended {
  message: PreparedMessage;
  ending: Ending;
}

/**
 * What is written of messages on their way: those of one organization, or of one workspace, that come while a statement
 * is under way go together into the next, so that many messages cost little more than one. Nobody waits behind those of
 * another.
 */
export interface SharedWrites {
  /** Takes the next slot of a channel. */
  claimSlot: (wish: SlotWish) => Promise<Slot>;
  /** Writes down that a post begins, and answers when; undefined when it must not begin. */
  beginPosting: (posting: Posting) => Promise<Date | undefined>;
  /** Writes an outcome, settles it and tells its origin; false when somebody has written one before. */
  end: (ended: Ended) => Promise<boolean>;
}

/** What they are written with. */
export interface SharedWritesDependencies {
  database: Database;
  outbox: Outbox;
  clock: Clock;
  metrics: Metrics;
}

/** Settles messages, those of one operation together. */
const settleAll = async (outbox: Outbox, tx: Transaction, ended: readonly Ended[]): Promise<void> => {
  const operations = Map.groupBy(ended, ({ message }) => message.context.operationId);
  for (const [operationId, [first, ...rest]] of operations) {
    if (!first) continue;
    const items = [first, ...rest].map(({ message: { item, id, creditLogId }, ending }) => ({
      item,
      messageId: id,
      creditLogId,
      charged: ending.status === 'sent',
    }));
    await settle(outbox, tx, first.message.tenant, operationId, items);
  }
};

const reportOne = (outbox: Outbox, tx: Transaction, { message, ending }: Ended, at: Date): Promise<void> => {
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
  return report(outbox, tx, tenant, reported, at);
};

/** Outcomes and settlements in one transaction: a message is charged when its row says sent, and never without. */
const endAll = (
  { database, outbox, clock }: SharedWritesDependencies,
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
    const first = await endMessages(tx, rows);
    const ended = all.filter(({ message }) => first.has(message.id));
    await settleAll(outbox, tx, ended);
    for (const one of ended) await reportOne(outbox, tx, one, clock.now());
    return all.map(({ message }) => first.has(message.id));
  });

/** Makes the writes of a process. */
export const createSharedWrites = (dependencies: SharedWritesDependencies): SharedWrites => {
  const { database, metrics } = dependencies;
  const facts = { maxBatch: mostMessages, metrics };
  return {
    claimSlot: coalesce<SlotWish, Slot>({
      ...facts,
      name: 'claim-slots',
      key: (wish) => wish.workspace_id,
      run: (wishes) => claimSlots(database, wishes),
    }),
    beginPosting: coalesce<Posting, Date | undefined>({
      ...facts,
      maxBatch: mostPostings,
      name: 'begin-postings',
      key: ({ tenant }) => tenant.organizationId,
      run: async (postings) => {
        const begun = await beginPostings(database, postings);
        return postings.map(({ id }) => begun.get(id));
      },
    }),
    end: coalesce<Ended, boolean>({
      ...facts,
      name: 'end-messages',
      key: ({ message }) => message.tenant.organizationId,
      run: (all) => endAll(dependencies, all),
    }),
  };
};
