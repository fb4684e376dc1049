import { runCommand } from '@stanza/cli/program';

/** What came of a command. */
export interface CommandRun {
  code: number;
  /** What it printed for people or programs. */
  out: string;
  /** What else it said. */
  notes: string;
}

/** What a command finds around it. */
export interface CommandSurroundings {
  /** The only variables. */
  env?: Readonly<Record<string, string>>;
  /** The folder in which it is run. */
  folder?: string;
  input?: string;
  /** What a person answers; without it there is no terminal. */
  answer?: string;
  signal?: AbortSignal;
  /** What a person does who is led to a page. */
  browse?: (url: string) => void;
  /** Is told of each line of output as it is printed. */
  printed?: (line: string) => void;
  /** Is told of each line that is said next to the output. */
  noted?: (line: string) => void;
  sleep?: (milliseconds: number) => Promise<void>;
}

/** Runs `stanza` with these words in this process. */
export const stanzaCommand = async (
  words: readonly string[],
  surroundings: CommandSurroundings = {},
): Promise<CommandRun> => {
  const { env = {}, folder = '/', input = '', answer, signal, printed, noted, sleep, browse } = surroundings;
  const [out, notes]: [string[], string[]] = [[], []];
  const code = await runCommand(words, {
    env,
    folder,
    hasColours: false,
    columns: 120,
    signal: signal ?? new AbortController().signal,
    out: (line) => {
      out.push(line);
      printed?.(line);
    },
    note: (line) => {
      notes.push(line);
      noted?.(line);
    },
    input: async () => input,
    lines: async function* () {
      yield* input.split('\n');
    },
    ask: answer === undefined ? undefined : async () => answer,
    browse: browse ?? (() => undefined),
    sleep: sleep ?? (async () => {}),
  });
  return { code, out: out.join('\n'), notes: notes.join('\n') };
};
