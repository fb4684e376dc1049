import { notFound, setOrganizationActivation as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { record } from '../store/audit-log.ts';
import { changeOrganization, lockOrganization } from '../store/organization-details.ts';

/** Sets who may make a version live: the way out for an organization whose people have no sessions. */
export const setOrganizationActivation = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ input: { organization_id, activation }, context }) =>
    database.transaction(async (tx) => {
      const before = await lockOrganization(tx, organization_id);
      if (!before) throw notFound('organization');
      if (before.activation === activation) return { activation, changed: false };
      const at = clock.now();
      await changeOrganization(tx, organization_id, { ...before, activation }, at);
      await record(tx, context, {
        action: 'organization.updated',
        subject: { kind: 'organization', id: organization_id },
        changes: { activation: { from: before.activation, to: activation } },
        owner: { organization_id, environment: null },
        at,
      });
      return { activation, changed: true };
    }),
  );
