import { LeasedWorker } from '@stanza/runtime';
import type { InteractivityDependencies } from '../dependencies.ts';
import type { InteractionActionRow } from '../interaction-rows.ts';
import { runAction, tryMs } from '../run-action.ts';
import { claimActions, endLostOpenings } from '../store/interaction-actions.ts';

/** Actions that one process has under way at one time. */
const mostUnderWay = 8;
/** Milliseconds of a lease, after which an action of a process that died over it is claimed by another. */
const leaseMs = tryMs + 10_000;
/** Milliseconds after which no process is still opening a modal. */
const openingMs = 10_000;

/** Makes what runs the actions of interactions. */
export const createActionRunner = (
  dependencies: InteractivityDependencies,
): LeasedWorker<InteractionActionRow> =>
  new LeasedWorker(dependencies, {
    name: 'interaction action',
    places: mostUnderWay,
    claim: (room) => claimActions(dependencies.database, leaseMs, room),
    run: (action) => runAction(dependencies, action),
    attributes: ({ type }) => ({ 'stanza.action': type }),
    facts: ({ interaction_id }) => ({ interaction_id }),
  });

/** Ends the openings of modals whose process has died. */
export const endOpeningsLeft = async ({
  database,
}: Pick<InteractivityDependencies, 'database'>): Promise<void> => {
  await endLostOpenings(database, openingMs);
};
