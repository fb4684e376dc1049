#!/usr/bin/env node
import { failWith } from '@stanza/local/commands/fail';
import { Command } from 'commander';
import { runBench } from './commands/bench.ts';
import { runChaos } from './commands/chaos.ts';
import { runSoak } from './commands/soak.ts';
import { runTests } from './commands/test.ts';

/** What `npm test`, `npm run bench`, `npm run chaos` and `npm run soak` run. */
const program = new Command('npm run')
  .description('Tests and measurements of the checkout')
  .helpCommand(false);

program
  .command('test')
  .description('types, lint and tests of every level; or only the named ones')
  .argument(
    '[levels-and-paths...]',
    'types, lint, unit, int, contract, tenancy, e2e, browser; images; parts of file names',
  )
  .action(runTests);

const programs = {
  bench: ['measure the budgets', runBench],
  chaos: ['break a stack while it works, and see whether it keeps its promises', runChaos],
  soak: ['load a stack steadily, and see whether what it holds stays as it is', runSoak],
} as const;

for (const [name, [description, run]] of Object.entries(programs)) {
  program
    .command(name)
    .description(description)
    .helpOption(false)
    .allowUnknownOption()
    .argument('[arguments...]')
    .action(run);
}

try {
  await program.parseAsync();
} catch (error) {
  failWith(error);
}
