import { metricCatalogue, notFound, type pushEvents, type ReplyOf } from '@stanza/contracts';
import { type Call, coalesce, newId, type PackedPush } from '@stanza/runtime';
import { announce } from './deliveries.ts';
import type { Dependencies } from './dependencies.ts';
import { dayIsFull, pushWithdrawn, queueInactive } from './domain/errors.ts';
import { presentPush } from './domain/present-push.ts';
import { type Push, type PushOutcome, PushPlanner, withdrawn } from './domain/push.ts';
import { findAnswers, findKnown, lockDailyEvents, lockQueues } from './store/push-events.ts';
import { writePushes } from './store/write-pushes.ts';

/** The dependencies of pushing. */
export type PushDependencies = Pick<Dependencies, 'database' | 'outbox' | 'metrics' | 'tiers' | 'tracing'>;

/** A push and its tenant. */
export interface OwnedPush extends Push {
  organizationId: string;
}

/** Most pushes of one transaction: with bodies at their limit, 16 MiB. */
const maxPushes = 32;

/**
 * Commits pushes. Those of one organization that arrive during a commit are coalesced, so that a busy queue needs one
 * transaction for many of them, and a single push does not wait.
 */
const pushing = ({ database, outbox, metrics, tiers, tracing }: PushDependencies) => {
  const accepted = metrics.counter(metricCatalogue.queues.eventsAccepted);
  const closed = metrics.counter(metricCatalogue.queues.batchesClosed);

  const commit = async (pushes: readonly OwnedPush[], organizationId: string): Promise<PushOutcome[]> => {
    const tier = await tiers.of(organizationId);
    return database.transaction(async (tx) => {
      const queues = await lockQueues(tx, organizationId, pushes);
      const answered = await findAnswers(tx, organizationId, pushes);
      const known = await findKnown(tx, organizationId, pushes);
      const { day, at, events } = await lockDailyEvents(tx, organizationId);
      const remaining = tier.events_per_day - events;
      const plan = new PushPlanner({ queues, known, answered, remaining }, at, newId).plan(pushes);
      if (plan.taken.length === 0) return plan.outcomes;
      const closing = plan.batches.filter((it) => it.closes !== undefined);
      const deliveries = new Map(closing.map((it) => [it.batch.id, newId()]));
      await writePushes(tx, plan, {
        organizationId,
        deliveries,
        at,
        day,
        traceparent: tracing.current(),
      });
      for (const { batch, environment, queueId } of closing) {
        const operation_id = deliveries.get(batch.id) ?? newId();
        const handed = { organization_id: organizationId, environment, id: batch.id, queue_id: queueId };
        await announce(outbox, tx, { ...handed, operation_id });
      }
      tx.afterCommit(() => {
        for (const { events: added } of plan.added) accepted.inc(added.length);
        for (const { closes } of closing) if (closes) closed.inc({ reason: closes });
      });
      return plan.outcomes;
    });
  };

  return coalesce<OwnedPush, PushOutcome>({
    name: 'push-events',
    key: (push) => push.organizationId,
    maxBatch: maxPushes,
    metrics,
    // Of a group that fails each is committed by itself: a push that was withdrawn in the meantime fails alone.
    run: commit,
  });
};

const refusalOf = (outcome: Extract<PushOutcome, { refused: unknown }>['refused']) => {
  if (outcome === 'not_found') return () => notFound('queue');
  if (outcome === withdrawn) return () => pushWithdrawn();
  return outcome === 'invalid_state' ? () => queueInactive() : undefined;
};

/** Appends a push to the open batch of its queue, and answers it. */
export const answeringPushes = (dependencies: PushDependencies) => {
  const push = pushing(dependencies);
  return async (
    { tenant, context }: Pick<Call<typeof pushEvents>, 'tenant' | 'context'>,
    queueId: string,
    { bytes, keys, packed }: PackedPush,
  ): Promise<ReplyOf<typeof pushEvents>> => {
    const { organizationId, environment } = tenant;
    const events = bytes.map((size, at) => ({ bytes: size, key: keys?.[at] ?? undefined }));
    const { operationId } = context;
    // As it was made, if it came in upper case.
    const named = { organizationId, environment, operationId, queueId: queueId.toLowerCase() };
    const outcome = await push({ ...named, events, packed });
    if ('pushed' in outcome) return presentPush(outcome.pushed);
    const refuse = refusalOf(outcome.refused);
    throw refuse ? refuse() : dayIsFull(await dependencies.tiers.of(organizationId), outcome.at);
  };
};
