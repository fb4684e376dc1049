import { notFound, updateOrganization as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkOwn } from '../domain/errors.ts';
import { presentOrganization } from '../present-organization.ts';
import { record } from '../store/audit-log.ts';
import { findDetails, lockOrganization, renameOrganization } from '../store/organization-details.ts';

/** Renames the caller's organization; a name that stays leaves no trace. */
export const updateOrganization = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ tenant, context, input: { params, body } }) => {
    checkOwn(tenant, params.id);
    const { organizationId: organization_id } = tenant;
    return database.transaction(async (tx) => {
      const before = await lockOrganization(tx, organization_id);
      if (!before) throw notFound('organization');
      if (body.name !== undefined && body.name !== before.name) {
        const at = clock.now();
        await renameOrganization(tx, organization_id, body.name, at);
        await record(tx, context, {
          action: 'organization.updated',
          subject: { kind: 'organization', id: organization_id },
          changes: { name: { from: before.name, to: body.name } },
          owner: { organization_id, environment: null },
          at,
        });
      }
      const found = await findDetails(tx, organization_id);
      if (!found) throw notFound('organization');
      return presentOrganization(found);
    });
  });
