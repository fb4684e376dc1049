import {
  isPersonDeciding,
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

/**
 * A key must neither let itself in nor lock out people who have no session: `person` set by a key could not be undone by
 * anybody of an organization without an identity provider. Nor must an agent with a session of a person. Where another
 * person than the author is asked for, no single person lifts that: they would be alone with what they wrote.
 */
const checkActivation = (
  principal: Principal,
  before: OrganizationChoice,
  { activation }: OrganizationChoice,
): void => {
  if (activation === before.activation) return;
  if (!isPersonDeciding(principal)) {
    throw denied(
      'Who may make a version live is decided by people: an admin changes it in the console, or the operator with `npm run admin -- organization set-activation`.',
      principal,
    );
  }
  if (before.activation === 'another_person') {
    throw denied(
      'The organization asks for another person than the author, which nobody lifts alone: the operator does it with `npm run admin -- organization set-activation`.',
      principal,
    );
  }
};

const policies = ['guard_activation', 'activation'] as const;

/** Changes the name and the policies of the caller's organization; what stays as it is leaves no audit entry. */
export const updateOrganization = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ tenant, context, principal, input: { params, body } }) => {
    checkOwn(tenant, params.id);
    const { organizationId: organization_id } = tenant;
    return database.transaction(async (tx) => {
      const before = await lockOrganization(tx, organization_id);
      if (!before) throw notFound('organization');
      const after: OrganizationChoice = {
        name: body.name ?? before.name,
        guard_activation: body.guard_activation ?? before.guard_activation,
        activation: body.activation ?? before.activation,
      };
      checkActivation(principal, before, after);
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
