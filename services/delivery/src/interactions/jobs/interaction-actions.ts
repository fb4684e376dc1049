import { countByOrganization, LeasedWorker } from '@stanza/runtime';
import type { InteractivityDependencies } from '../dependencies.ts';
import type { InteractionActionRow } from '../interaction-tables.ts';
import { runAction, tryMs } from '../run-action.ts';
import { claimActions, dueActors, endLostOpenings } from '../store/interaction-actions.ts';

/** Actions in flight in one process. */
const maxUnderWay = 8;
/** Of these, for one organization; the others stay free for the next one. */
const share = 6;
/** Lease of a claim, milliseconds; after it another process claims the action. */
const leaseMs = tryMs + 10_000;
/** Milliseconds after which no process is still opening a modal. */
const openingMs = 10_000;

/** Makes the worker for the actions of interactions. */
export const createActionRunner = (
  dependencies: InteractivityDependencies,
): LeasedWorker<InteractionActionRow> => {
  const actors = dueActors();
  return new LeasedWorker(dependencies, {
    name: 'interaction action',
    share: {
      kind: 'interaction_actions',
      metrics: dependencies.metrics,
      organizationOf: (row) => row.organization_id,
    },
    places: maxUnderWay,
    claim: async (places, underWay) =>
      claimActions(dependencies.database, leaseMs, {
        places,
        share,
        underWay: countByOrganization(underWay),
        organizations: await actors.find(dependencies.database),
      }),
    run: (action) => runAction(dependencies, action),
    attributes: ({ type }) => ({ 'stanza.action': type }),
    facts: ({ interaction_id }) => ({ interaction_id }),
  });
};

/** Ends modal openings of processes that have died. */
export const endOpeningsLeft = async ({
  database,
}: Pick<InteractivityDependencies, 'database'>): Promise<void> => {
  await endLostOpenings(database, openingMs);
};
