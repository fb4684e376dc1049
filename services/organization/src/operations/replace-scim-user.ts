import { replaceScimUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { AccessDependencies, Dependencies } from '../dependencies.ts';
import { activeOf } from '../domain/scim.ts';
import { provision } from '../provision.ts';

/** Deactivates or reactivates a member by a whole resource. */
export const replaceScimUser = (dependencies: AccessDependencies & Pick<Dependencies, 'log'>) =>
  handle(operation, async (call) => {
    const { body } = call.input;
    return provision(dependencies, call, { active: activeOf(body), values: body });
  });
