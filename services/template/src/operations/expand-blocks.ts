import { expandBlocks as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { expandedBlocks } from '../expanded-blocks.ts';

/** Puts the blocks of partials into blocks that are not saved. */
export const expandBlocks = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { organization_id, environment, blocks } }) =>
    expandedBlocks(new Tenant(organization_id, environment), database, blocks),
  );
