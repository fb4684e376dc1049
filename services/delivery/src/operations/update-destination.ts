import * as contracts from '@stanza/contracts';
import { audit, checkIfMatch, handle } from '@stanza/runtime';
import type { Dependencies, DestinationWriting } from '../dependencies.ts';
import { checkUrl } from '../destinations/checked-url.ts';
import { decryptHeaders, encryptHeaders } from '../destinations/credentials.ts';
import { breakerKey } from '../destinations/dependencies.ts';
import { checkAuth } from '../destinations/destination-auth.ts';
import { auditedPolicy, policyChanges } from '../destinations/destination-changes.ts';
import { isOtherOrigin } from '../destinations/destination-origin.ts';
import type { DestinationPolicy, DestinationRow } from '../destinations/destination-tables.ts';
import { presentDestination } from '../destinations/present-destination.ts';
import { destinationKeys } from '../destinations/store/destination-keys.ts';
import { lockDestination, writeDestination } from '../destinations/store/destinations.ts';
import { resumeDeliveries } from '../destinations/store/held-deliveries.ts';
import { isOfUnreadQueues, requireReading } from '../events/redirection.ts';

type Body = contracts.InputOf<typeof contracts.updateDestination>['body'];

/**
 * The changed values. The stored headers belong to the origin for which they were entered: they cannot be read, and a
 * new address must not reveal them. A new origin clears them unless the request gives others.
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

const newStart = ({ is_active, url }: Partial<DestinationPolicy>): Partial<DestinationRow> => ({
  ...((is_active || url !== undefined) && { consecutive_failures: 0 }),
  ...(is_active && { disabled_at: null }),
});

/** Changes a destination; reactivated or with another address, it starts without failures. */
export const updateDestination = ({
  database,
  outbox,
  clock,
  keyring,
  destinations,
  rpc,
}: DestinationWriting & Pick<Dependencies, 'rpc'>) =>
  handle(contracts.updateDestination, async ({ input: { params, body }, context, tenant, principal }) => {
    const who = { tenant, principal, context };
    const isOfQueues = body.url !== undefined && (await isOfUnreadQueues({ rpc }, who, params.id));
    return database.transaction(async (tx) => {
      const locked = await lockDestination(tenant, tx, params.id);
      if (!locked) throw contracts.notFound('destination');
      const row = await destinationKeys.withKey(tenant, tx, locked);
      const shown = presentDestination(row, destinations.breakers.state(breakerKey(row)));
      checkIfMatch(context, contracts.updateDestination, shown);
      const { headers, changes } = changesOf(row, body);
      if (changes.url !== undefined) {
        checkUrl(destinations, changes.url);
        await requireReading(tenant, tx, principal, { id: row.id, isOfQueues });
      }
      const authType = changes.auth_type ?? row.auth_type;
      if (headers) checkAuth(authType, headers);
      // Only the stored headers show whether they fit the new type.
      else if (changes.auth_type) checkAuth(authType, decryptHeaders(tenant, row, keyring));

      const at = clock.now();
      const written = {
        ...changes,
        ...(headers && encryptHeaders(tenant, row.id, headers, keyring)),
        ...newStart(changes),
      };
      const state = () => destinations.breakers.state(breakerKey({ ...row, ...changes }));
      if (Object.keys(written).length === 0) return presentDestination(row, state());
      const changed = { ...row, ...written, updated_at: at };
      await writeDestination(tenant, tx, row.id, { ...written, updated_at: at });
      await resumeDeliveries(tenant, tx, row.id);
      await audit(tx, outbox, context, {
        action: 'destination.updated',
        subject: { kind: 'destination', id: row.id },
        changes: { ...auditedPolicy(row, changes), ...(headers && { header_names: Object.keys(headers) }) },
        at,
      });
      return presentDestination(changed, state());
    });
  });
