import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { natsUsers } from '@stanza/local/nats/config';
import { databaseRoles } from '@stanza/local/provision';
import { loadSecrets, type StackSecrets } from '@stanza/local/secrets';
import { type Addresses, secretFiles } from './secret-files.ts';

/** Mount point of the folders of all processes during the set-up. */
export const secretsFolder = '/var/lib/stanza/keys';

/** The file with all secrets, which only the set-up reads. */
export const secretsFile = (folder: string): string => join(folder, 'all/secrets.json');

/** Secrets given in the environment; they are stored from then on. */
export const givenSecrets = (env: Record<string, string | undefined>): Partial<StackSecrets> => ({
  ...(env.STANZA_ENCRYPTION_KEYS && { encryption_keys: env.STANZA_ENCRYPTION_KEYS }),
  ...(env.STANZA_CONSOLE_KEYS && { console_keys: env.STANZA_CONSOLE_KEYS }),
  ...(env.STANZA_KEY_HASH_SECRETS && { key_hash_secrets: env.STANZA_KEY_HASH_SECRETS }),
  ...(env.STANZA_CHAT_SIGNING_SECRET && { chat_signing_secret: env.STANZA_CHAT_SIGNING_SECRET }),
});

/** Creates the secrets once, and writes for each process the files that it reads. Safe to repeat. */
export const makeSecrets = async (
  folder: string,
  addresses: Addresses,
  given: Partial<StackSecrets>,
): Promise<void> => {
  await mkdir(join(folder, 'all'), { recursive: true, mode: 0o700 });
  const users = { roles: databaseRoles, nats: natsUsers };
  const secrets = await loadSecrets(secretsFile(folder), users, given);
  for (const { path, content, mode } of secretFiles(secrets, addresses)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    // A process that starts in the meantime reads the old file or the new one, never half of one.
    await rm(`${file}.new`, { force: true });
    await writeFile(`${file}.new`, content, { mode });
    await rename(`${file}.new`, file);
  }
  // Postgres runs as another user than this process.
  await chmod(join(folder, 'postgres'), 0o755);
};
