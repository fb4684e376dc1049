import {
  accessChanged,
  eraseOrganization,
  erasingServices,
  notFound,
  deleteOrganization as operation,
} from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkOwn } from '../domain/errors.ts';
import { record } from '../store/audit-log.ts';
import { endOrganization } from '../store/erasures.ts';
import { lockOrganization } from '../store/organization-details.ts';

/**
 * Deletes the caller's organization: from the commit on no request for it is authorized. After a delay for work in
 * flight, every service erases its rows.
 */
export const deleteOrganization = ({
  database,
  clock,
  outbox,
  erasureDelayMs,
}: Pick<Dependencies, 'database' | 'clock' | 'outbox' | 'erasureDelayMs'>) =>
  handle(operation, async ({ tenant, context, input: { params } }) => {
    checkOwn(tenant, params.id);
    const { organizationId: organization_id } = tenant;
    return database.transaction(async (tx) => {
      const found = await lockOrganization(tx, organization_id);
      if (!found) throw notFound('organization');
      const at = clock.now();
      await endOrganization(tx, organization_id, at);
      await outbox.add(tx, accessChanged, { organization_id });
      for (const service of erasingServices) {
        await outbox.add(tx, eraseOrganization[service], { organization_id }, { delayMs: erasureDelayMs });
      }
      await record(tx, context, {
        action: 'organization.deleted',
        subject: { kind: 'organization', id: organization_id },
        changes: {},
        owner: { organization_id, environment: null },
        at,
      });
      return { success: true as const, id: organization_id };
    });
  });
