#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import { failWith } from './commands/fail.ts';
import { start, supervise } from './commands/start.ts';
import { stop } from './commands/stop.ts';
import { defaultPort } from './ports.ts';

const portNumber = (text: string): number => {
  const port = Number(text);
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535; 0 takes any free port.');
};

/** The options that a start in the foreground and one in the background share. */
const startOptions = (command: Command): Command =>
  command
    .option('--port <number>', 'port of the API; 0 takes any free port', portNumber, defaultPort)
    .option('--fresh', 'delete all data of earlier runs first', false);

const program = new Command('npm run')
  .description('Stanza on this machine: npm start, npm stop, npm run dev, npm run admin')
  .helpCommand(false);

const smallOption = ['--small', 'run all services in one process, which takes less memory', false] as const;

startOptions(program.command('start').description('start everything'))
  .option(...smallOption)
  .option('--timings', 'print the time of each step of the set-up, also of short ones', false)
  .showHelpAfterError(
    'Its options are listed by "npm start -- --help"; "npm stop" stops what it has started.',
  )
  .option('--detach', 'return when it is ready, and leave it running in the background', false)
  .action(start);

startOptions(program.command('supervise', { hidden: true }))
  .option(...smallOption)
  .action(supervise);

const developing = startOptions(
  program.command('dev').description('run the stack from its sources, restarting changed services'),
);
if (process.argv[2] === 'dev') {
  // Every other command starts sooner without what runs a stack.
  const { dev, devOptions } = await import('./commands/dev.ts');
  devOptions(developing).usage('-- [task] [options]').action(dev);
}

program.command('stop').description('stop the stack of "npm start"').action(stop);

program
  .command('admin')
  .description("the operator's commands")
  .helpOption(false)
  .allowUnknownOption()
  .argument('[arguments...]')
  .action(async (words: string[]) => {
    const { runAdmin } = await import('./admin/program.ts');
    await runAdmin(words);
  });

try {
  await program.parseAsync();
} catch (error) {
  failWith(error);
}
