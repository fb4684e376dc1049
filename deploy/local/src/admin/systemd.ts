import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { machineFiles } from '../machines/machine-files.ts';
import { readSecretsFile } from './kubernetes.ts';

const withSecrets = /^(?:stanza|pgbouncer)\//;

/** Writes files below a folder; those with secrets only for their owner and its group. */
const writeFiles = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: withSecrets.test(path) ? 0o640 : 0o644 });
  }
};

/** `npm run admin -- systemd`: the files of a machine without Kubernetes. */
export const systemd = (): Command =>
  new Command('systemd')
    .description('write the units, settings, pooler and proxy of one machine of several')
    .requiredOption('--machines <addresses>', 'addresses of all machines, separated by commas')
    .requiredOption('--machine <address>', 'the one whose files are written')
    .option('--secrets <file>', 'the file of "kubernetes secrets"', 'secrets.json')
    .option('--out <folder>', 'a folder with what goes to /etc', 'etc')
    .action(async ({ machines, machine, secrets, out }) => {
      const all = String(machines)
        .split(',')
        .map((it) => it.trim());
      const files = machineFiles(machine, all, await readSecretsFile(secrets));
      await writeFiles(out, files);
      console.log(`Wrote ${Object.keys(files).length} files to ${out}, passwords among them.`);
    });
