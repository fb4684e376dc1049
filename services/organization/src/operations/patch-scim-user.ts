import { patchScimUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { AccessDependencies } from '../dependencies.ts';
import { activeAfter } from '../domain/scim.ts';
import { provision } from '../provision.ts';

/** Deactivates or reactivates a member by a patch. */
export const patchScimUser = (dependencies: AccessDependencies) =>
  handle(operation, async (call) => provision(dependencies, call, activeAfter(call.input.body)));
