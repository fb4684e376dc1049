#!/usr/bin/env node
/**
 * The first process of a container; its argument names the process to run. Only that one is imported, to save memory.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serviceNames } from '@stanza/contracts';
import { failWith } from '@stanza/local/commands/fail';
import { projectRoot } from '@stanza/local/project';
import { Command, Option } from 'commander';
import { readSettingFiles } from './setting-files.ts';
import { databaseUrl, natsUrl } from './surroundings.ts';

const program = new Command('stanza').helpCommand(false).description('Stanza in a container');

/** Runs the process of a workspace, which reads its settings and handles signals itself. */
const become = (workspace: string) => async () => {
  await import(pathToFileURL(join(projectRoot, workspace, 'dist/main.js')).href);
};

for (const name of serviceNames) {
  program
    .command(name)
    .description(`the ${name} service`)
    .action(become(`services/${name}`));
}

program
  .command('services', { isDefault: Boolean(process.env.STANZA_SERVICES) })
  .description('the services that STANZA_SERVICES names, in one process')
  .action(async () => {
    await import('@stanza/local/run-services');
  });

program
  .command('sandbox')
  .description('the stand-in of the chat platform, for trials')
  .action(become('deploy/sandbox'));

program
  .command('front')
  .description('spreads requests over all gateways')
  .action(async () => {
    await import('./front/main.ts');
  });

program
  .command('keys')
  .description('create missing passwords and keys, and write for each process the files it reads')
  .action(async () => {
    const { givenSecrets, secretsFolder, makeSecrets } = await import('./make-secrets.ts');
    const addresses = { databaseUrl: databaseUrl(), natsUrl: natsUrl() };
    await makeSecrets(secretsFolder, addresses, givenSecrets(process.env));
  });

program
  .command('setup')
  .description('create roles and schemas in the database of DATABASE_URL, and migrate it')
  .option('--alone', 'the database is for Stanza only: revoke the rights of the role public', false)
  .action(async ({ alone }: { alone: boolean }) => {
    const { createLogger } = await import('@stanza/runtime');
    const { secretsFolder } = await import('./make-secrets.ts');
    const { setUp } = await import('./set-up.ts');
    const log = createLogger({ name: 'setup', level: 'info' });
    await setUp(secretsFolder, { databaseUrl: databaseUrl(), natsUrl: natsUrl() }, { alone, log });
  });

program
  .command('migrate')
  .description('bring every schema of the database that STANZA_MIGRATION_URL names up to date')
  .action(async () => {
    await import('@stanza/local/migration-job');
  });

program
  .command('seed')
  .description('create the demo organizations')
  .option('--api <url>', 'address of the API for people', 'http://127.0.0.1:8787')
  .addOption(new Option('--demo <wanted>', 'create them or not').choices(['yes', 'no']).default('yes'))
  .option('--once', 'leave organizations that are there as they are, also if their keys are lost', false)
  .action(async ({ api, demo, once }: { api: string; demo: string; once: boolean }) => {
    if (demo === 'no') return console.log('Stanza is ready, without a demo.');
    const { demoFile, makeDemo } = await import('./demo.ts');
    console.log(await makeDemo(natsUrl(), demoFile, { api, once }));
  });

program
  .command('demo')
  .description('show the demo organizations and their keys, as JSON')
  .option('--key', 'show only the key of the first owner', false)
  .action(async ({ key }: { key: boolean }) => {
    const { demoFile, readDemo } = await import('./demo.ts');
    const made = await readDemo(demoFile);
    console.log(key ? made[0]?.keys.owner : JSON.stringify(made, null, 2));
  });

program
  .command('admin')
  .description("the operator's commands")
  .helpOption(false)
  .allowUnknownOption()
  .argument('[arguments...]')
  .action(async (words: string[]) => {
    const { runAdmin } = await import('@stanza/local/admin/program');
    await runAdmin(words);
  });

try {
  readSettingFiles(process.env);
  await program.parseAsync();
} catch (error) {
  failWith(error);
}
