import { patchScimUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { AccessDependencies, Dependencies } from '../dependencies.ts';
import { activeAfter, patchedValues } from '../domain/scim.ts';
import { provision } from '../provision.ts';

/** Deactivates or reactivates a member by a patch. */
export const patchScimUser = (dependencies: AccessDependencies & Pick<Dependencies, 'log'>) =>
  handle(operation, async (call) => {
    const { body } = call.input;
    return provision(dependencies, call, { active: activeAfter(body), values: patchedValues(body) });
  });
