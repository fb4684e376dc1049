import { notFound, getVersionContent as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { readBlocks } from '../store/versions.ts';

/** Reads the blocks of a version, for the compile service. */
export const getVersionContent = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, version_id } }) => {
    const blocks = await readBlocks(new Tenant(organization_id, environment), database, version_id);
    if (!blocks) throw notFound('version');
    return { blocks };
  });
