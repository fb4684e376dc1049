import type { Command } from 'commander';
import { CommandProblem } from '../problem.ts';
import type { AddCommand } from './command.ts';

interface Words {
  readonly name: string;
  readonly description: string;
  readonly options: readonly string[];
}

const optionsOf = (command: Command): string[] => command.options.flatMap(({ long }) => (long ? [long] : []));

const wordsOf = (program: Command): Words[] =>
  program.commands.map((command) => ({
    name: command.name(),
    description: command.description().replaceAll("'", '’'),
    options: [...optionsOf(command), ...optionsOf(program)],
  }));

const bash = (words: readonly Words[]): string => `_stanza() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${words.map(({ name }) => name).join(' ')}' -- "$word"))
    return
  fi
  case "$command" in
${words.map(({ name, options }) => `    ${name}) COMPREPLY=($(compgen -W '${options.join(' ')}' -- "$word")) ;;`).join('\n')}
  esac
}
complete -o default -F _stanza stanza`;

const zsh = (words: readonly Words[]): string => `#compdef stanza
_stanza() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${words.map(({ name, description }) => `      '${name}:${description.replaceAll(':', ' -')}'`).join('\n')}
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${words.map(({ name, options }) => `    ${name}) compadd -- ${options.join(' ')}; _files ;;`).join('\n')}
  esac
}
compdef _stanza stanza`;

const fish = (words: readonly Words[]): string =>
  words
    .flatMap(({ name, description, options }) => [
      `complete -c stanza -n __fish_use_subcommand -a ${name} -d '${description}'`,
      ...options.map(
        (option) => `complete -c stanza -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
      ),
    ])
    .join('\n');

const shells: Readonly<Record<string, (words: readonly Words[]) => string>> = { bash, zsh, fish };

/** `stanza completion`. */
export const addCompletion: AddCommand = (program, setting) =>
  program
    .command('completion')
    .description('print the completion for a shell: bash, zsh or fish')
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) => {
      const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
      if (!write) throw new CommandProblem(`There is no completion for ${shell}.`, 'Name bash, zsh or fish.');
      const script = write(wordsOf(program));
      setting().show({ shell, script }, () => script);
    });
