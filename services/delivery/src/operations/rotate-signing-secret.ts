import * as contracts from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import {
  encryptPrevious,
  newSigningSecret,
  presentSecrets,
  secretsBefore,
} from '../destinations/credentials.ts';
import { lockDestination, writeDestination } from '../destinations/store/destinations.ts';

/** Milliseconds for which the secrets before sign as well. */
const overlapMs = 24 * 60 * 60_000;

/** Gives a destination a new signing secret next to those before, if they can be decrypted. */
export const rotateSigningSecret = ({
  database,
  outbox,
  clock,
  keyring,
}: Pick<Dependencies, 'database' | 'outbox' | 'clock' | 'keyring'>) =>
  handle(contracts.rotateSigningSecret, ({ tenant, input, context }) =>
    database.transaction(async (tx) => {
      const row = await lockDestination(tenant, tx, input.params.id);
      if (!row) throw contracts.notFound('destination');
      const at = clock.now();
      const until = new Date(at.getTime() + overlapMs);
      const secrets = secretsBefore(tenant, row, keyring, at);
      const previous = secrets.length === 0 ? undefined : { secrets, until };
      const { secret, columns } = newSigningSecret(tenant, row.id, keyring);
      await writeDestination(tenant, tx, row.id, {
        ...columns,
        ...encryptPrevious(tenant, row.id, previous, keyring),
        updated_at: at,
      });
      await audit(tx, outbox, context, {
        action: 'destination.signing_secret_rotated',
        subject: { kind: 'destination', id: row.id },
        changes: { name: row.name },
        at,
      });
      return presentSecrets({ current: secret, ...(previous && { previous }) });
    }),
  );
