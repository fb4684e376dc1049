import * as contracts from '@stanza/contracts';
import { authorOf } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import type { Dependencies, DestinationWriting } from '../dependencies.ts';
import { checkUrl } from '../destinations/checked-url.ts';
import { encryptHeaders, newSigningSecret } from '../destinations/credentials.ts';
import { breakerKey } from '../destinations/dependencies.ts';
import { checkAuth } from '../destinations/destination-auth.ts';
import { presentDestination } from '../destinations/present-destination.ts';
import { insertDestinationOnce } from '../destinations/store/destinations.ts';
import { storedDestinations } from '../store/stored.ts';

/** Creates a destination and its signing secret. */
export const createDestination = ({
  database,
  outbox,
  clock,
  keyring,
  destinations,
  allowances,
}: DestinationWriting & Pick<Dependencies, 'allowances'>) =>
  handle(contracts.createDestination, async ({ input: { body }, context, principal, tenant }) => {
    const { headers, description, key, ...policy } = body;
    checkUrl(destinations, policy.url);
    checkAuth(policy.auth_type, headers);
    const allowance = await allowances.of(tenant.organizationId);
    const [id, at] = [newId(), clock.now()];
    const made = {
      ...policy,
      id,
      key,
      operation_id: context.operationId,
      description: description ?? null,
      ...encryptHeaders(tenant, id, headers, keyring),
      ...newSigningSecret(tenant, id, keyring).columns,
      consecutive_failures: 0,
      disabled_at: null,
      previous_secret_ciphertext: null,
      previous_secret_key_id: null,
      previous_secret_until: null,
      created_by: authorOf(principal.actor),
      created_at: at,
      updated_at: at,
      deleting_at: null,
    };
    const { name, method, auth_type, is_active, header_names } = made;
    const row = await insertDestinationOnce(tenant, database, made, {
      check: (tx) => storedDestinations.check(tenant, tx, allowance, context.operationId),
      record: (tx) =>
        audit(tx, outbox, context, {
          action: 'destination.created',
          subject: { kind: 'destination', id },
          changes: { name, method, auth_type, is_active, header_names },
          at,
        }),
    });
    return presentDestination(row, destinations.breakers.state(breakerKey(row)));
  });
