import { pushEvents as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { dayIsFull, queueInactive, queueNotFound } from '../domain/errors.ts';
import type { Push, PushOutcome } from '../domain/push.ts';
import { type PushDependencies, pushing } from '../pushing.ts';

const eventOf = (event: Record<string, unknown>): Push['events'][number] => {
  const json = JSON.stringify(event);
  const key = typeof event.id === 'string' ? event.id : undefined;
  return { key, json, bytes: Buffer.byteLength(json) };
};

/** Appends events to the open batch of a queue: all of them, in one batch, committed before the answer. */
export const pushEvents = (dependencies: PushDependencies) => {
  const push = pushing(dependencies);
  const refusalOf = (outcome: Extract<PushOutcome, { refused: unknown }>['refused']) => {
    if (outcome === 'not_found') return () => queueNotFound();
    return outcome === 'invalid_state' ? () => queueInactive() : undefined;
  };
  return handle(operation, async ({ input: { params, body }, context, tenant }) => {
    const outcome = await push({
      organizationId: tenant.organizationId,
      environment: tenant.environment,
      operationId: context.operationId,
      queueId: params.id,
      events: body.events.map(eventOf),
    });
    if ('pushed' in outcome) {
      const { window_end, ...pushed } = outcome.pushed;
      return { ...pushed, window_end: window_end.toISOString() };
    }
    const refuse = refusalOf(outcome.refused);
    throw refuse ? refuse() : dayIsFull(await dependencies.tiers.of(tenant.organizationId), outcome.at);
  });
};
