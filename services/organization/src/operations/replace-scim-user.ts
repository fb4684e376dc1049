import { replaceScimUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { AccessDependencies } from '../dependencies.ts';
import { activeOf } from '../domain/scim.ts';
import { provision } from '../provision.ts';

/** Deactivates or reactivates a member by a whole resource. */
export const replaceScimUser = (dependencies: AccessDependencies) =>
  handle(operation, async (call) => provision(dependencies, call, activeOf(call.input.body)));
