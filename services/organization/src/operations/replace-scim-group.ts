import { replaceScimGroup as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { changeGroup } from '../change-group.ts';
import type { AccessDependencies } from '../dependencies.ts';
import { checkGroupName } from '../domain/scim-groups.ts';

/** Changes roles by a whole group; without members it changes nothing. */
export const replaceScimGroup = (dependencies: AccessDependencies) =>
  handle(operation, async (call) =>
    changeGroup(dependencies, call, (role) => {
      const { displayName, members } = call.input.body;
      checkGroupName(displayName, role);
      if (members === undefined) return [];
      return [{ kind: 'replace', ids: members.map(({ value }) => value.toLowerCase()) }];
    }),
  );
