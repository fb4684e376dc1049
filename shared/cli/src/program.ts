import { nearestName } from '@stanza/engine';
import { version } from '@stanza/sdk';
import { Command } from 'commander';
import { addActivate, addRollback } from './commands/activate.ts';
import type { AddCommand } from './commands/command.ts';
import { addCompletion } from './commands/completion.ts';
import { addDiff } from './commands/diff.ts';
import { addExport, addImport } from './commands/export.ts';
import { addHistory } from './commands/history.ts';
import { addInit } from './commands/init.ts';
import { addListen } from './commands/listen.ts';
import { addLogin, addLogout } from './commands/login.ts';
import { addMcp } from './commands/mcp.ts';
import { addMessages } from './commands/messages.ts';
import { addNew } from './commands/new.ts';
import { addPlan } from './commands/plan.ts';
import { addPreview } from './commands/preview.ts';
import { addPromote } from './commands/promote.ts';
import { addPull } from './commands/pull.ts';
import { addPush } from './commands/push.ts';
import { addQueues } from './commands/queues.ts';
import { addSend } from './commands/send.ts';
import { addTest } from './commands/test.ts';
import { addTranslations } from './commands/translations.ts';
import { addTypes } from './commands/types.ts';
import { addValidate } from './commands/validate.ts';
import { addWhoAmI } from './commands/who-am-i.ts';
import { CommandProblem, type ErrorReport, errorReportOf, exitCodes, textOf } from './problem.ts';
import { type CommonOptions, Setting } from './setting.ts';
import type { Terminal } from './terminal.ts';

/** Every command, in the order of the help. */
const all: readonly AddCommand[] = [
  addLogin,
  addLogout,
  addWhoAmI,
  addInit,
  addNew,
  addPull,
  addValidate,
  addPreview,
  addTest,
  addDiff,
  addPlan,
  addPush,
  addActivate,
  addRollback,
  addHistory,
  addPromote,
  addExport,
  addImport,
  addTranslations,
  addTypes,
  addSend,
  addMessages,
  addQueues,
  addListen,
  addMcp,
  addCompletion,
];

/** `stanza help`. That of the library answers a name that no command has with the help of all of them, as a failure. */
const addHelp = (program: Command): void => {
  program.helpCommand(false);
  program
    .command('help')
    .description('explain a command')
    .argument('[command]', 'all of them where none is named')
    .action((name?: string) => {
      if (name === undefined) program.help();
      const commands = program.commands.map((it) => it.name());
      const found = program.commands.find((it) => it.name() === name);
      if (found) found.help();
      const near = nearestName(name, commands);
      program.error(`error: unknown command '${name}'${near ? `\n(Did you mean ${near}?)` : ''}`);
    });
};

/** The program with all of its commands. */
export const stanzaProgram = (
  terminal: Terminal,
  end: (code: number) => void,
  wantsJson = false,
): Command => {
  const program = new Command('stanza')
    .description('Stanza from a terminal')
    .option('--profile <name>', 'a profile that `stanza login` has saved')
    .option('--dir <folder>', 'the folder of templates, in place of the current one')
    .option('--json', 'print the result as JSON')
    .option('--yes', 'change production without asking')
    .version(version, '--version', 'print the version')
    .showHelpAfterError('`stanza <command> --help` explains the words of a command.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => {
        if (!wantsJson) terminal.note(text.trimEnd());
      },
    });
  const setting = () => new Setting(terminal, program.opts<CommonOptions>(), end);
  for (const add of all) add(program, setting);
  addHelp(program);
  return program;
};

/** Commander ends help and wrong words by an error with an exit code of its own. */
const exitCodeOf = (error: unknown): number | undefined => {
  const { exitCode, code } = Object(error);
  return typeof exitCode === 'number' && String(code).startsWith('commander.') ? exitCode : undefined;
};

/** Whether wrong words are told as JSON; the program has not read all of them when it meets one. */
const jsonIsWanted = (words: readonly string[]): boolean => {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).includes('--json');
};

/** What is wrong with the words of a command. */
const usageOf = (error: unknown): ErrorReport => {
  const { code, message: text } = Object(error);
  const message = code === 'commander.help' ? 'No command is named.' : String(text).replace(/^error: /, '');
  return { code: 'usage', message };
};

/** Runs a command. @returns its exit code: 0 success, 1 failure, 2 changes, 3 conflict, 4 drift, 130 interrupted */
export const runCommand = async (words: readonly string[], terminal: Terminal): Promise<number> => {
  let code = 0;
  const end = (given: number) => {
    code = given;
  };
  const wantsJson = jsonIsWanted(words);
  const print = (error: ErrorReport) => terminal.out(JSON.stringify({ error }, null, 2));
  const program = stanzaProgram(terminal, end, wantsJson);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return terminal.signal.aborted ? exitCodes.interrupted : code;
  } catch (error) {
    const exitCode = exitCodeOf(error);
    if (exitCode !== undefined) {
      if (exitCode !== 0 && wantsJson) print(usageOf(error));
      return exitCode;
    }
    if (program.opts<CommonOptions>().json) print(errorReportOf(error));
    else terminal.note(textOf(error));
    if (terminal.signal.aborted) return exitCodes.interrupted;
    return error instanceof CommandProblem ? error.exitCode : exitCodes.failure;
  }
};
