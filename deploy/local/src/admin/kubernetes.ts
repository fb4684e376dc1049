import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { codeOf, StackFailure } from '../failure.ts';
import { type ClusterSecrets, readClusterSecrets } from '../kubernetes/cluster-secrets.ts';
import { clusterSecrets, rolePasswords } from '../kubernetes/make-secrets.ts';
import { databaseAddress, databaseRoles, provision } from '../provision.ts';
import { passwordsFor } from '../secrets.ts';
import { print } from './print.ts';

const writeNew = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new StackFailure(
      `${file} already exists and was not changed.`,
      'Stored data can be read only with the keys in that file: use it, or name another.',
      { cause: error },
    );
  }
};

/** Writes the Secrets of a cluster into a new file, or to standard output where that is "-". */
export const makeSecrets = async (
  database: string,
  namespace: string,
  file: string,
  migrationDatabase = database,
): Promise<void> => {
  const secrets = await clusterSecrets(database, namespace, migrationDatabase);
  const text = JSON.stringify(secrets, null, 2);
  if (file === '-') await print(text);
  else await writeNew(file, `${text}\n`);
};

/** Reads the file of `makeSecrets`. */
export const readSecretsFile = async (file: string): Promise<ClusterSecrets> => {
  try {
    return readClusterSecrets(await readFile(file, 'utf8'));
  } catch (error) {
    const code = codeOf(error);
    // The words of the system say why it cannot be read, such as for want of a right.
    if (code !== undefined && code !== 'ENOENT') throw error;
    throw new StackFailure(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} has no Secrets of Stanza.`,
      'Name the file of "kubernetes secrets" with --secrets.',
      { cause: error },
    );
  }
};

/**
 * Creates the roles and schemas that a file of Secrets names. A role that is not in the file, such as that of a service
 * without a database, gets a random password that is not stored.
 * @returns the roles with a password in the file
 */
export const provisionFrom = async (database: string, file: string): Promise<string[]> => {
  const passwords = rolePasswords(await readSecretsFile(file));
  await provision(databaseAddress(database).href, passwordsFor(databaseRoles, passwords));
  return Object.keys(passwords);
};

/** `npm run admin -- kubernetes …`: the set-up of a cluster before the first rollout. */
export const kubernetes = (): Command => {
  const group = new Command('kubernetes').description('the set-up of a cluster before the first rollout');
  group
    .command('secrets')
    .description('create the Secrets of all processes, for "kubectl apply --filename"')
    .requiredOption('--database <url>', 'address for the pods: postgres://host:5432/stanza')
    .option('--migration-database <url>', 'that of Postgres itself, where --database is that of pgbouncer')
    .option('--namespace <name>', 'namespace of the Secrets', 'stanza')
    .option('--out <file>', 'a new file, readable only by you; - is standard output', 'secrets.json')
    .action(async ({ database, migrationDatabase, namespace, out }) => {
      await makeSecrets(database, namespace, out, migrationDatabase);
      if (out !== '-') console.log(`Wrote ${out}. Keep it secret; its keys cannot be created again.`);
    });
  group
    .command('provision')
    .description('create the roles and schemas that the Secrets name; safe to repeat')
    .requiredOption('--database <url>', 'address for you, with a user who may create roles')
    .option('--secrets <file>', 'the file of "kubernetes secrets"', 'secrets.json')
    .action(async ({ database, secrets }) => {
      const roles = await provisionFrom(database, secrets);
      console.log(`Roles and schemas exist: ${roles.join(', ')}.`);
    });
  return group;
};
