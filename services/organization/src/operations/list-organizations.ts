import { listOrganizations as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { listAll } from '../store/organizations.ts';

/** Lists all organizations with their credits, for operators. */
export const listOrganizations = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input }) => listAll(database, input));
