#!/usr/bin/env node
import { failWith } from '@stanza/local/commands/fail';
import { Command } from 'commander';
import { runBench } from './commands/bench.ts';
import { runChaos } from './commands/chaos.ts';
import { runHops } from './commands/hops.ts';
import { runSoak } from './commands/soak.ts';
import { runTests } from './commands/test.ts';
import { longLevels, usualChecks } from './levels.ts';

/** What `npm test`, `npm run bench`, `npm run chaos`, `npm run soak` and `npm run hops` run. */
const program = new Command('npm run')
  .description('Tests and measurements of the checkout')
  .helpCommand(false)
  .showHelpAfterError();

program
  .command('test')
  .usage('-- [levels-and-paths...]')
  .description('types, lint and tests of every level; or only the named ones')
  .argument(
    '[levels-and-paths...]',
    `${usualChecks.join(', ')}; ${longLevels.join(', ')}, which take minutes; parts of file names`,
  )
  .option('--short', 'instead: the stories of browser, faults and rollout that stand for the others')
  .action((words: string[], { short = false }: { short?: boolean }, command: Command) => {
    if (short && words.length > 0)
      command.error('error: --short names its stories itself; leave the levels and paths out');
    return runTests(words, short);
  });

// Each of these is a program of its own and gets what was written; here it is checked and explained.
const given = () => process.argv.slice(3);

program
  .command('bench')
  .usage('-- [options] [names...]')
  .description('measure the budgets, each line beside its peer, and write tests/bench/results.md')
  .argument('[names...]', 'only these; an unknown one prints them all')
  .option('--check', 'run everything once and briefly; no figure is kept or judged')
  .action(() => runBench(given()));

program
  .command('chaos')
  .usage('-- [options]')
  .description('break a stack while it works, and see whether it keeps its promises')
  .option('--minutes <number>', 'how long faults come', '5')
  .option('--short', 'each kind of fault once, about a minute')
  .option('--cluster', 'three NATS servers, a primary and a standby, and pgbouncer; breaks those too')
  .option('--seed <number>', 'the same faults at the same times as before; any unless given')
  .option('--plant <name>', 'with a planted bug, which has to be noticed; an unknown name prints them all')
  .option('--planted', 'all planted bugs, one after the other')
  .option('--write <file>', 'put the tables into this page')
  .action(() => runChaos(given()));

program
  .command('soak')
  .usage('-- [options]')
  .description('load a stack steadily, and see whether what it holds stays as it is')
  .option('--minutes <number>', 'how long', '30')
  .option('--rate <number>', 'requests a second', '20')
  .option('--write', 'keep the figures in tests/bench/results.md')
  .action(() => runSoak(given()));

program
  .command('hops')
  .description('print the files that a send, a bulk send, a compile and a push execute, by package')
  .action(runHops);

try {
  await program.parseAsync();
} catch (error) {
  failWith(error);
}
