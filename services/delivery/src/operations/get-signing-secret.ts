import * as contracts from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { decryptSigningSecrets, presentSecrets } from '../destinations/credentials.ts';
import { findDestination } from '../destinations/store/destinations.ts';

/** Shows the current signing secrets of a destination, and writes the reader to the audit log. */
export const getSigningSecret = ({
  database,
  outbox,
  clock,
  keyring,
}: Pick<Dependencies, 'database' | 'outbox' | 'clock' | 'keyring'>) =>
  handle(contracts.getSigningSecret, ({ tenant, input, context }) =>
    database.transaction(async (tx) => {
      const row = await findDestination(tenant, tx, input.params.id);
      if (!row) throw contracts.notFound('destination');
      const at = clock.now();
      const secrets = presentSecrets(decryptSigningSecrets(tenant, row, keyring, at));
      await audit(tx, outbox, context, {
        action: 'destination.signing_secret_read',
        subject: { kind: 'destination', id: row.id },
        changes: { name: row.name },
        at,
      });
      return secrets;
    }),
  );
