import { countStoredTemplates as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { storedEntities, storedModals, storedSampleData, storedTemplates } from '../store/stored.ts';
import { countStoredBytes } from '../store/stored-bytes.ts';

/** Counts what an organization stores here, in both environments. */
export const countStoredTemplates = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id } }) => ({
    templates: await storedTemplates.count(database, organization_id),
    modals: await storedModals.count(database, organization_id),
    entities: await storedEntities.count(database, organization_id),
    sample_data: await storedSampleData.count(database, organization_id),
    bytes: await countStoredBytes(database, organization_id),
  }));
