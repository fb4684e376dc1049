import { accessChanged, CodedError, setOrganizationStatus as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { findOrganization, setStatus } from '../store/organizations.ts';

/** Suspends an organization or takes it back, which every gateway hears of. */
export const setOrganizationStatus = ({
  database,
  clock,
  outbox,
}: Pick<Parts, 'database' | 'clock' | 'outbox'>) =>
  handle(operation, async ({ input: { organization_id, status } }) =>
    database.transaction(async (tx) => {
      const organization = await findOrganization(tx, organization_id);
      if (!organization) throw new CodedError('organization_not_found');
      const isChanged = await setStatus(tx, organization_id, status, clock.now());
      if (isChanged) await outbox.add(tx, accessChanged, { organization_id });
      return { status };
    }),
  );
