import { existsSync, readFileSync } from 'node:fs';
import type { Stack } from '@stanza/local';

/** Lines of one process that are shown at most, the last ones. */
const mostLines = 30;

/** A warning or worse, in a line of a service or of the broker. */
const isFailure = (line: string): boolean => /"level":"(?:warn|error|fatal)"|\[(?:WRN|ERR|FTL)\]/.test(line);

/** What the processes of a stack logged about a failure: warnings and worse, and each line that has one of these texts. */
export const loggedOf = (stack: Stack, texts: readonly string[]): string[] =>
  stack.processes.flatMap((name) => {
    const { logFile } = stack.process(name);
    if (!existsSync(logFile)) return [];
    const lines = readFileSync(logFile, 'utf8').split('\n');
    const told = lines.filter((line) => isFailure(line) || texts.some((text) => line.includes(text)));
    return told.slice(-mostLines).map((line) => `${name}: ${line}`);
  });
