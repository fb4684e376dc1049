import { withClient } from '@stanza/local/database-client';
import { codeOf, messageOf, StackFailure } from '@stanza/local/failure';
import { migrateAll } from '@stanza/local/migrations';
import { closeToPublic, migratorRole, provision, urlFor } from '@stanza/local/provision';
import { readSecrets } from '@stanza/local/secrets';
import { waitUntil } from '@stanza/local/wait';
import type { Logger } from '@stanza/runtime';
import { secretsFile } from './make-secrets.ts';
import { type Addresses, ownerUrl } from './secret-files.ts';

/** Milliseconds to wait for a database that is not reachable yet. */
const patienceMs = 60_000;

/** Error codes of a server that is starting or not reachable yet. */
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

/** Options of {@link setUp}. */
export interface SetUpOptions {
  /** The database is for Stanza only: other roles may not connect. */
  alone: boolean;
  log: Logger;
}

/** Creates missing roles and schemas and brings every schema up to date. Safe to repeat. The secrets must exist. */
export const setUp = async (
  secretsFolder: string,
  addresses: Addresses,
  { alone, log }: SetUpOptions,
): Promise<void> => {
  const secrets = readSecrets(secretsFile(secretsFolder));
  const url = ownerUrl(addresses, secrets);
  if (!(await waitUntil(() => answers(url), { timeoutMs: patienceMs, everyMs: 500 }))) {
    throw new StackFailure(
      `${new URL(url).host} is not reachable.`,
      'Start Postgres there, or name another with DATABASE_URL.',
    );
  }
  await provision(url, secrets.roles);
  if (alone) await closeToPublic(url);
  await migrateAll(urlFor(url, migratorRole, secrets.roles[migratorRole] ?? ''), log);
};
