import { existsSync, readFileSync } from 'node:fs';
import type { Stack } from '@stanza/local';

/** Lines of one process that are shown at most, the last ones. */
const maxLines = 30;

/** Characters of such a line: the cause and where it was found, without the rest of its stack. */
const maxOfLine = 600;

/** A warning or worse, in a line of a service or of the broker. */
const isFailure = (line: string): boolean => /"level":"(?:warn|error|fatal)"|\[(?:WRN|ERR|FTL)\]/.test(line);

/** The log of each process of a stack, in lines. */
const logsOf = (stack: Stack): { name: string; lines: string[] }[] =>
  stack.processes.flatMap((name) => {
    const { logFile } = stack.process(name);
    return existsSync(logFile) ? [{ name, lines: readFileSync(logFile, 'utf8').split('\n') }] : [];
  });

/** Warnings and worse of the processes of a stack, and each line that has one of these texts. */
const loggedOf = (stack: Stack, texts: readonly string[]): string[] =>
  logsOf(stack).flatMap(({ name, lines }) => {
    const told = lines.filter((line) => isFailure(line) || texts.some((text) => line.includes(text)));
    return told.slice(-maxLines).map((line) => `${name}: ${line.slice(0, maxOfLine)}`);
  });

/** A limit of time of a statement or of the pool, as Postgres and `pg` word it. */
const databaseLimit =
  /timeout exceeded when trying to connect|due to connection timeout|canceling statement due to statement timeout/;

/** In the stack of an error of the database where it was met; those that only pass it on have no cause to tell. */
const whereFound = 'at fromDatabase ';

/**
 * Whether all that processes have logged of a database that does not answer was a limit of time. A request of a joined
 * call is not named there, so the logs are looked at as a whole.
 */
export const isDatabaseOnlySlow = (stack: Stack): boolean => {
  const told = logsOf(stack).flatMap(({ lines }) =>
    lines.filter((line) => isFailure(line) && line.includes(whereFound)),
  );
  return told.length > 0 && told.every((line) => databaseLimit.test(line));
};

/** What the processes of the stack logged about failed requests, and the requests, last: there a long output is read first. */
export const withLogs = (stack: Stack, failures: readonly string[]): string[] => {
  if (failures.length === 0) return [];
  const requests = failures.flatMap((line) => /"request_id":"([^"]+)"/.exec(line)?.[1] ?? []);
  return [...loggedOf(stack, requests), ...failures];
};
