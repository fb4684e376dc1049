import { listOrganizations as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { listAll } from '../store/organizations.ts';

/** Lists all organizations with their credits, for operators. */
export const listOrganizations = ({ database }: Pick<Parts, 'database'>) =>
  handle(operation, async ({ input }) => listAll(database, input));
