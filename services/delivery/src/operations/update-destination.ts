import * as contracts from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkUrl } from '../destinations/checked-url.ts';
import { openHeaders, sealHeaders } from '../destinations/credentials.ts';
import { breakerKey } from '../destinations/dependencies.ts';
import { checkAuth } from '../destinations/destination-auth.ts';
import { auditedPolicy, policyChanges } from '../destinations/destination-changes.ts';
import { isOtherOrigin } from '../destinations/destination-origin.ts';
import type { DestinationPolicy, DestinationRow } from '../destinations/destination-rows.ts';
import { presentDestination } from '../destinations/present-destination.ts';
import { lockDestination, writeDestination } from '../destinations/store/destinations.ts';

type Body = contracts.InputOf<typeof contracts.updateDestination>['body'];

/**
 * What changes. The stored headers belong to the origin for which they were entered: they are not readable, and a new
 * address must not be a way to read them. Another origin clears them unless others are given with it.
 */
const changesOf = (
  row: DestinationRow,
  { headers, ...given }: Body,
): { headers: Body['headers']; changes: Partial<DestinationPolicy> } => {
  const changes = policyChanges(row, given);
  const isMoved = changes.url !== undefined && isOtherOrigin(row.url, changes.url);
  if (!isMoved || headers) return { headers, changes };
  const cleared = policyChanges(row, { auth_type: given.auth_type ?? 'none' });
  return { headers: {}, changes: { ...changes, ...cleared } };
};

/** Changes a destination; made active again, it starts without failures. */
export const updateDestination = ({
  database,
  outbox,
  clock,
  keyring,
  destinations,
}: Pick<Dependencies, 'database' | 'outbox' | 'clock' | 'keyring' | 'destinations'>) =>
  handle(contracts.updateDestination, ({ input: { params, body }, context, tenant }) =>
    database.transaction(async (tx) => {
      const row = await lockDestination(tenant, tx, params.id);
      if (!row) throw contracts.notFound('destination');
      const { headers, changes } = changesOf(row, body);
      if (changes.url !== undefined) checkUrl(destinations, changes.url);
      const authType = changes.auth_type ?? row.auth_type;
      if (headers) checkAuth(authType, headers);
      // Only the stored headers can tell whether they suit the new type.
      else if (changes.auth_type) checkAuth(authType, openHeaders(tenant, row, keyring));

      const at = clock.now();
      const written = {
        ...changes,
        ...(headers && sealHeaders(tenant, row.id, headers, keyring)),
        ...(changes.is_active && { consecutive_failures: 0, disabled_at: null }),
      };
      const state = () => destinations.breakers.state(breakerKey({ ...row, ...changes }));
      if (Object.keys(written).length === 0) return presentDestination(row, state());
      const changed = { ...row, ...written, updated_at: at };
      await writeDestination(tenant, tx, row.id, { ...written, updated_at: at });
      await audit(tx, outbox, context, {
        action: 'destination.updated',
        subject: { kind: 'destination', id: row.id },
        changes: { ...auditedPolicy(row, changes), ...(headers && { header_names: Object.keys(headers) }) },
        at,
      });
      return presentDestination(changed, state());
    }),
  );
