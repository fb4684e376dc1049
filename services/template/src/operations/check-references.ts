import { checkReferences as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { referenceProblems } from '../reference-problems.ts';

/** Finds the modals and destinations that blocks name and that their environment does not have. */
export const checkReferences = (dependencies: Pick<Dependencies, 'database' | 'rpc'>) =>
  handle(operation, async ({ input: { organization_id, environment, blocks }, context }) => {
    const tenant = new Tenant(organization_id, environment);
    return { problems: await referenceProblems(dependencies, context, tenant, blocks) };
  });
