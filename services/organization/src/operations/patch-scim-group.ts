import { patchScimGroup as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { changeGroup } from '../change-group.ts';
import type { AccessDependencies } from '../dependencies.ts';
import { membersChanges } from '../domain/scim-groups.ts';

/** Changes roles by a patch of a group. */
export const patchScimGroup = (dependencies: AccessDependencies) =>
  handle(operation, async (call) =>
    changeGroup(dependencies, call, (role) => membersChanges(call.input.body.Operations, role)),
  );
