import type { InteractionActionRow } from '../domain/interaction-rows.ts';
import type { InteractivityParts } from '../interactivity/parts.ts';
import { runAction, tryMs } from '../interactivity/run-action.ts';
import { claimActions, endLostOpenings } from '../store/interaction-actions.ts';

/** Actions that one process has under way at one time. */
const atOnce = 8;
/** Milliseconds after which an action of a process that died over it is taken by another. */
const leaseMs = tryMs + 10_000;
/** Milliseconds after which nobody is opening a modal any more. */
const openingMs = 10_000;

/** Goes on with the trace of the interaction. */
const traced = (parts: InteractivityParts, action: InteractionActionRow): Promise<void> =>
  parts.tracing.entry(
    'interaction action',
    action.traceparent ?? undefined,
    { 'stanza.action': action.type },
    (current) => runAction(parts, { ...action, traceparent: current ?? null }),
  );

/** Runs the actions of interactions that are due. Every replica does it; row locks keep them apart. */
export const runDueActions = async (parts: InteractivityParts, signal?: AbortSignal): Promise<void> => {
  const { database, clock, log } = parts;
  while (!signal?.aborted) {
    const now = clock.now();
    const actions = await claimActions(database, now, new Date(now.getTime() + leaseMs), atOnce);
    if (actions.length === 0) return;
    const runs = actions.map((action) =>
      traced(parts, action).catch((err: unknown) => {
        // Its lease ends by itself; until then nobody else is at it.
        log.error({ err, interaction_id: action.interaction_id }, 'an action of an interaction was left');
      }),
    );
    await Promise.all(runs);
  }
};

/** Tells of modals whose opening nobody has seen the end of. */
export const endOpeningsLeft = async ({ database, clock }: InteractivityParts): Promise<void> => {
  const now = clock.now();
  await endLostOpenings(database, new Date(now.getTime() - openingMs), now);
};
