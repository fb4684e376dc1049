#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import { runAdmin } from './admin/program.ts';
import { runBench } from './commands/bench.ts';
import { runChaos } from './commands/chaos.ts';
import { dev, devOptions } from './commands/dev.ts';
import { failWith } from './commands/fail.ts';
import { runSoak } from './commands/soak.ts';
import { start, supervise } from './commands/start.ts';
import { stop } from './commands/stop.ts';
import { runTests } from './commands/test.ts';

const portNumber = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535; 0 takes any free one.');
};

const defaultPort = 8787;

/** The options that a start in the foreground and one in the background share. */
const startOptions = (command: Command): Command =>
  command
    .option('--port <number>', 'port of the API; 0 takes any free one', portNumber, defaultPort)
    .option('--fresh', 'delete all data of earlier runs first', false);

const program = new Command('npm run')
  .description(
    'Stanza on this machine: npm start, npm stop, npm run dev, npm test, npm run bench, npm run chaos, npm run soak, npm run admin',
  )
  .helpCommand(false);

startOptions(program.command('start').description('start everything'))
  .option('--detach', 'return when it is ready, and let it run on in the background', false)
  .action(start);

startOptions(program.command('supervise', { hidden: true })).action(supervise);

devOptions(
  startOptions(program.command('dev').description('the stack from its sources, restarting what changes')),
)
  .usage('-- [task] [options]')
  .action(dev);

program.command('stop').description('stop what "npm start" started').action(stop);

program
  .command('test')
  .description('types, lint and tests of every level; or only the named ones')
  .argument(
    '[levels-and-paths...]',
    'types, lint, unit, int, contract, tenancy, e2e, browser; images; parts of file names',
  )
  .action(runTests);

program
  .command('bench')
  .description('measure the budgets')
  .allowUnknownOption()
  .argument('[arguments...]')
  .action(runBench);

program
  .command('chaos')
  .description('break a stack while it works, and see whether it keeps its promises')
  .helpOption(false)
  .allowUnknownOption()
  .argument('[arguments...]')
  .action(runChaos);

program
  .command('soak')
  .description('load a stack steadily, and see whether what it holds stays as it is')
  .helpOption(false)
  .allowUnknownOption()
  .argument('[arguments...]')
  .action(runSoak);

program
  .command('admin')
  .description("the operator's commands")
  .helpOption(false)
  .allowUnknownOption()
  .argument('[arguments...]')
  .action(runAdmin);

try {
  await program.parseAsync();
} catch (error) {
  failWith(error);
}
