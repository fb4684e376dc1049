import { accessChanged, notFound, setOrganizationStatus as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { AccessDependencies } from '../dependencies.ts';
import { record } from '../store/audit-log.ts';
import { findOrganization, setStatus } from '../store/organizations.ts';

/** Suspends or reinstates an organization and notifies every gateway. */
export const setOrganizationStatus = ({ database, clock, outbox }: AccessDependencies) =>
  handle(operation, async ({ input: { organization_id, status }, context }) =>
    database.transaction(async (tx) => {
      const organization = await findOrganization(tx, organization_id);
      if (!organization) throw notFound('organization');
      const at = clock.now();
      const isChanged = await setStatus(tx, organization_id, status, at);
      if (!isChanged) return { status };
      await outbox.add(tx, accessChanged, { organization_id });
      await record(tx, context, {
        action: 'organization.status_changed',
        subject: { kind: 'organization', id: organization_id },
        changes: { status: { from: organization.status, to: status } },
        owner: { organization_id, environment: null },
        at,
      });
      return { status };
    }),
  );
