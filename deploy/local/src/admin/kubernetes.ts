import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { codeOf, StackFailure } from '../failure.ts';
import {
  type ClusterSecrets,
  clusterSecrets,
  readClusterSecrets,
  rolePasswords,
} from '../kubernetes/secrets.ts';
import { databaseRoles, provision } from '../provision.ts';
import { passwordsFor } from '../secrets.ts';

const writeNew = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new StackFailure(
      `${file} is there already, and is left as it is.`,
      'What is stored can only be read with the keys of its time: go on with that file, or name another.',
      { cause: error },
    );
  }
};

/** Writes the Secrets of a cluster into a new file. */
export const makeSecrets = async (database: string, namespace: string, file: string): Promise<void> => {
  await writeNew(file, `${JSON.stringify(await clusterSecrets(database, namespace), null, 2)}\n`);
};

/** Reads what `makeSecrets` wrote. */
export const readSecretsFile = async (file: string): Promise<ClusterSecrets> =>
  readClusterSecrets(await readFile(file, 'utf8'));

/**
 * Creates the roles and schemas that a file of Secrets names. A role that none names, as that of a service without a
 * database, gets a password that nobody knows.
 * @returns the roles that can be used
 */
export const provisionFrom = async (database: string, file: string): Promise<string[]> => {
  const passwords = rolePasswords(await readSecretsFile(file));
  await provision(database, passwordsFor(databaseRoles, passwords));
  return Object.keys(passwords);
};

/** `npm run admin -- kubernetes …`: what a cluster needs once, before the first rollout. */
export const kubernetes = (): Command => {
  const group = new Command('kubernetes').description('what a cluster needs before the first rollout');
  group
    .command('secrets')
    .description('make the Secrets of all processes, for "kubectl apply --filename"')
    .requiredOption('--database <url>', 'address as the pods reach it: postgres://host:5432/stanza')
    .option('--namespace <name>', 'namespace of the Secrets', 'stanza')
    .option('--out <file>', 'a new file, readable by you alone', 'secrets.json')
    .action(async ({ database, namespace, out }) => {
      await makeSecrets(database, namespace, out);
      console.log(`Wrote ${out}. Keep it where nobody else reads it; its keys cannot be made again.`);
    });
  group
    .command('provision')
    .description('create the roles and schemas that the Secrets name; as often as you like')
    .requiredOption('--database <url>', 'for a user who may create roles, as you reach it')
    .option('--secrets <file>', 'what "kubernetes secrets" wrote', 'secrets.json')
    .action(async ({ database, secrets }) => {
      const roles = await provisionFrom(database, secrets);
      console.log(`Roles and schemas are there: ${roles.join(', ')}.`);
    });
  return group;
};
