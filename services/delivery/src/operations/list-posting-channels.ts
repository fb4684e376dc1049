import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { listChannels } from '../messages/store/reconciliation.ts';

/** Lists where messages were posted, so that an operator can compare the log with the platform's histories. */
export const listPostingChannels = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.listPostingChannels, async ({ input: { since, after, limit } }) => ({
    places: await listChannels(database, new Date(since), after, limit),
  }));
