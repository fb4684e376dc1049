import { existsSync, readFileSync } from 'node:fs';
import type { Stack } from '@stanza/local';

/** Lines of one process that are shown at most, the last ones. */
const mostLines = 30;

/** A warning or worse, in a line of a service or of the broker. */
const isFailure = (line: string): boolean => /"level":"(?:warn|error|fatal)"|\[(?:WRN|ERR|FTL)\]/.test(line);

/** Warnings and worse of the processes of a stack, and each line that has one of these texts. */
const loggedOf = (stack: Stack, texts: readonly string[]): string[] =>
  stack.processes.flatMap((name) => {
    const { logFile } = stack.process(name);
    if (!existsSync(logFile)) return [];
    const lines = readFileSync(logFile, 'utf8').split('\n');
    const told = lines.filter((line) => isFailure(line) || texts.some((text) => line.includes(text)));
    return told.slice(-mostLines).map((line) => `${name}: ${line}`);
  });

/** The id of the request that a line tells of. */
const requestOf = (line: string): string | undefined => /"request_id":"([^"]+)"/.exec(line)?.[1];

/** A limit of time of a statement, of a lock or of the pool, as `pg` and Postgres word it. */
const databaseLimit =
  /timeout exceeded when trying to connect|canceling statement due to (?:statement|lock) timeout/;

/** Whether a failed request met a limit of time of the database, as the service that met it has logged. */
export const hasMetDatabaseLimit = (stack: Stack, failure: string): boolean => {
  const request = requestOf(failure);
  if (request === undefined || !failure.includes('The database does not answer')) return false;
  return loggedOf(stack, [request]).some((line) => line.includes(request) && databaseLimit.test(line));
};

/** Failed requests, followed by what the processes of the stack logged about them; nothing where none failed. */
export const withLogs = (stack: Stack, failures: readonly string[]): string[] => {
  if (failures.length === 0) return [];
  const requests = failures.flatMap((line) => requestOf(line) ?? []);
  return [...failures, ...loggedOf(stack, requests)];
};
