import { countStoredTargets as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { storedDestinations, storedScheduledData, storedSchedules } from '../store/stored.ts';

/** Counts the destinations and active scheduled messages of an organization, in both environments. */
export const countStoredTargets = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id } }) => ({
    destinations: await storedDestinations.count(database, organization_id),
    scheduled_messages: await storedSchedules.count(database, organization_id),
    scheduled_data_bytes: await storedScheduledData.count(database, organization_id),
  }));
