import { withClient } from '@stanza/local/database-client';
import { codeOf, messageOf, StackFailure } from '@stanza/local/failure';
import { migrateAll } from '@stanza/local/migrations';
import { closeToPublic, migratorRole, provision, urlFor } from '@stanza/local/provision';
import { readSecrets } from '@stanza/local/secrets';
import { waitUntil } from '@stanza/local/wait';
import type { Logger } from '@stanza/runtime';
import { type Addresses, ownerUrl } from './key-files.ts';
import { secretsFile } from './make-keys.ts';

/** How long a database that does not answer yet is waited for, milliseconds. */
const patienceMs = 60_000;

/** What a server answers that is there but not ready, and what happens where there is none yet. */
const notYet = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', '57P03']);

const answers = async (url: string): Promise<boolean> => {
  try {
    await withClient(url, (client) => client.query('select'));
    return true;
  } catch (error) {
    if (notYet.has(codeOf(error) ?? '')) return false;
    throw new StackFailure(
      `The database cannot be used: ${messageOf(error)}`,
      'Check the address, the user and its password; the keys and the data belong together.',
      { cause: error },
    );
  }
};

/** What {@link setUp} may be told. */
export interface SetUpOptions {
  /** The database is Stanza's alone: nobody else may connect to it. */
  alone: boolean;
  log: Logger;
}

/**
 * Creates roles and schemas where they are missing and brings every schema up to date; as often as one likes. The
 * keys must have been made.
 */
export const setUp = async (
  keysFolder: string,
  addresses: Addresses,
  { alone, log }: SetUpOptions,
): Promise<void> => {
  const secrets = readSecrets(secretsFile(keysFolder));
  const url = ownerUrl(addresses, secrets);
  if (!(await waitUntil(() => answers(url), { timeoutMs: patienceMs, everyMs: 500 }))) {
    throw new StackFailure(
      `${new URL(url).host} does not answer.`,
      'Start Postgres there, or name another with DATABASE_URL.',
    );
  }
  await provision(url, secrets.roles);
  if (alone) await closeToPublic(url);
  await migrateAll(urlFor(url, migratorRole, secrets.roles[migratorRole] ?? ''), log);
};
