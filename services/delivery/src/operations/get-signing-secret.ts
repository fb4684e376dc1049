import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { openSigningSecrets, presentSecrets } from '../destinations/credentials.ts';
import { destinationNotFound } from '../destinations/not-found.ts';
import type { Parts } from '../parts.ts';
import { findDestination } from '../store/destinations.ts';

/** Shows the secrets that sign a destination's deliveries at the moment. */
export const getSigningSecret = ({
  database,
  clock,
  keyring,
}: Pick<Parts, 'database' | 'clock' | 'keyring'>) =>
  handle(contracts.getSigningSecret, async ({ tenant, input }) => {
    const row = await findDestination(tenant, database, input.params.id);
    if (!row) throw destinationNotFound();
    return presentSecrets(openSigningSecrets(tenant, row, keyring, clock.now()));
  });
