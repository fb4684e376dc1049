import { notFound } from '@stanza/contracts';
import type { Tenant, Transaction } from '@stanza/runtime';
import { destinationKeys } from '../destinations/store/destination-keys.ts';
import { lockDestination } from '../destinations/store/destinations.ts';

/**
 * The id of the destination that a request names; it is locked, so that it is not deleted in the meantime.
 * @returns undefined where the request names none
 * @throws CodedError `not_found`
 */
export const namedDestinationId = async (
  tenant: Tenant,
  tx: Transaction,
  {
    destination_id,
    destination_key,
  }: { destination_id?: string | undefined; destination_key?: string | undefined },
): Promise<string | undefined> => {
  if (destination_id === undefined && destination_key === undefined) return undefined;
  const id = destination_id ?? (destination_key && (await destinationKeys.idOf(tenant, tx, destination_key)));
  const row = id ? await lockDestination(tenant, tx, id) : null;
  if (!row) throw notFound('destination');
  return row.id;
};
