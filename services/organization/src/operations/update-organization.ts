import {
  type InputOf,
  isPreviewKey,
  notFound,
  updateOrganization as operation,
  type Principal,
} from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkOwn, denied } from '../domain/errors.ts';
import { presentOrganization } from '../present-organization.ts';
import { record } from '../store/audit-log.ts';
import {
  changeOrganization,
  findDetails,
  lockOrganization,
  type OrganizationChoice,
} from '../store/organization-details.ts';

type Body = InputOf<typeof operation>['body'];

/** A policy holds in production too, which a key of preview must not affect. */
const checkPolicies = (principal: Principal, { guard_activation, activation }: Body): void => {
  if ((guard_activation === undefined && activation === undefined) || !isPreviewKey(principal)) return;
  throw denied(
    'The policies of an organization hold in both environments: use a session, or a key of the production environment.',
    principal,
  );
};

/** A key that people alone may follow must not let itself in by changing the policy first. */
const checkLoosening = (
  principal: Principal,
  before: OrganizationChoice,
  { activation }: OrganizationChoice,
): void => {
  if (before.activation === 'anyone' || activation === before.activation) return;
  if (principal.actor.type === 'session') return;
  throw denied(
    'Who may make a version live was limited by the organization: a person changes that, with a session.',
    principal,
  );
};

const policies = ['guard_activation', 'activation'] as const;

/** Changes the name and the policies of the caller's organization; what stays as it is leaves no audit entry. */
export const updateOrganization = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ tenant, context, principal, input: { params, body } }) => {
    checkOwn(tenant, params.id);
    checkPolicies(principal, body);
    const { organizationId: organization_id } = tenant;
    return database.transaction(async (tx) => {
      const before = await lockOrganization(tx, organization_id);
      if (!before) throw notFound('organization');
      const after: OrganizationChoice = {
        name: body.name ?? before.name,
        guard_activation: body.guard_activation ?? before.guard_activation,
        activation: body.activation ?? before.activation,
      };
      checkLoosening(principal, before, after);
      const changes = {
        ...(after.name !== before.name && { name: { from: before.name, to: after.name } }),
        ...Object.fromEntries(
          policies
            .filter((name) => after[name] !== before[name])
            .map((name) => [name, { from: before[name], to: after[name] }]),
        ),
      };
      if (Object.keys(changes).length > 0) {
        const at = clock.now();
        await changeOrganization(tx, organization_id, after, at);
        await record(tx, context, {
          action: 'organization.updated',
          subject: { kind: 'organization', id: organization_id },
          changes,
          owner: { organization_id, environment: null },
          at,
        });
      }
      const found = await findDetails(tx, organization_id);
      if (!found) throw notFound('organization');
      return presentOrganization(found);
    });
  });
