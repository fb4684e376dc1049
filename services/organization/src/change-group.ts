import { notFound, type Principal, type ScimGroup, validationFailed } from '@stanza/contracts';
import type { CallContext, Transaction } from '@stanza/runtime';
import { changeRole } from './change-role.ts';
import type { AccessDependencies } from './dependencies.ts';
import {
  type GroupRole,
  type MembersChange,
  roleOfGroup,
  rolesAfter,
  scimGroupResource,
} from './domain/scim-groups.ts';
import { lockProvisioned, provisionedOfRole } from './store/provisioned-users.ts';

/** A request of an identity provider about one group. */
export interface GroupCall {
  principal: Principal;
  context: CallContext;
  input: { params: { id: string } };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const refuse = (code: string, message: string): never => {
  throw validationFailed([{ code, path: ['members'], message }]);
};

const apply = async (
  tx: Transaction,
  { outbox, clock }: AccessDependencies,
  { principal, context }: GroupCall,
  { role, after }: { role: GroupRole; after: ReadonlyMap<string, GroupRole> },
): Promise<void> => {
  for (const id of after.keys()) if (!uuid.test(id)) refuse('custom', `${id} is no id of a user`);
  const before = await lockProvisioned(tx, principal.organization_id, [...after.keys()].toSorted());
  const change = { outbox, context, principal, at: clock.now(), facts: { by: 'scim' } };
  for (const [id, to] of after) {
    const isTakenOut = to !== role;
    // Another request has moved or removed the person since the members of the group were read.
    if (isTakenOut && before.get(id) !== role) continue;
    const from = before.get(id) ?? refuse('custom', `${id} is no user of the organization`);
    if (from === 'owner') refuse('mutability', 'the role of the owner is handed over by transfer alone');
    if (from !== to) await changeRole(tx, change, id, { from, to });
  }
};

/**
 * Changes the members of a group, and thereby their roles, at an identity provider's request: all of it or nothing.
 * @param changesFor what is asked of the members of the group of this role
 * @throws CodedError `not_found` for an id of no group, `validation_failed` for members that are none
 */
export const changeGroup = (
  dependencies: AccessDependencies,
  call: GroupCall,
  changesFor: (role: GroupRole) => MembersChange[],
): Promise<ScimGroup> => {
  const { organization_id } = call.principal;
  const role = roleOfGroup(organization_id, call.input.params.id);
  if (role === undefined) throw notFound('group');
  const changes = changesFor(role);
  return dependencies.database.transaction(async (tx) => {
    for (const change of changes) {
      const current = await provisionedOfRole(tx, organization_id, role);
      const ids = current.map(({ id }) => id);
      await apply(tx, dependencies, call, { role, after: rolesAfter(change, role, ids) });
    }
    return scimGroupResource(organization_id, role, await provisionedOfRole(tx, organization_id, role));
  });
};
