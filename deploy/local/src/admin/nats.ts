import { rename, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { ClusterSecrets } from '../kubernetes/cluster-secrets.ts';
import { finished, isRotating, rotated, withTwoUsers } from '../kubernetes/nats-passwords.ts';
import { readSecretsFile } from './kubernetes.ts';

/** Changes the file of `makeSecrets`; it is never half written. */
export const changeSecrets = async (
  file: string,
  change: (secrets: ClusterSecrets) => ClusterSecrets,
): Promise<void> => {
  const text = `${JSON.stringify(change(await readSecretsFile(file)), null, 2)}\n`;
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
};

/** `npm run admin -- nats …`: the passwords by which processes log in to NATS, in a file of Secrets. */
export const nats = (): Command => {
  const group = new Command('nats').description('the passwords of NATS, in the file of "kubernetes secrets"');
  const command = (name: string, description: string, run: (file: string) => Promise<string>): Command =>
    group
      .command(name)
      .description(description)
      .option('--secrets <file>', 'the file of "kubernetes secrets"', 'secrets.json')
      .action(async ({ secrets }) => console.log(await run(secrets)));
  command('users', 'give each process two users, in a file of an earlier release', async (file) => {
    await changeSecrets(file, withTwoUsers);
    return `${file} has two users of NATS for each process.`;
  });
  command('rotate', 'move each process to its other user, with a new password', async (file) => {
    const isOpen = isRotating(await readSecretsFile(file));
    if (isOpen) return 'A rotation is under way and was not begun again: "nats finish" ends it.';
    await changeSecrets(file, rotated);
    return `${file} has new passwords; the old ones are accepted until "nats finish". Restart NATS with it first, then the processes.`;
  });
  command('finish', 'end a rotation: previous passwords become void', async (file) => {
    if (!isRotating(await readSecretsFile(file))) return 'No rotation is under way: nothing was changed.';
    await changeSecrets(file, finished);
    return `The former passwords are no longer in ${file}. Restart NATS with it.`;
  });
  return group;
};
