import type { DestinationStream } from 'pino';

/** Destination of log lines. Its flush writes the buffered lines at once; pino calls it after a fatal line. */
export interface LogOutput extends DestinationStream {
  flushSync(): void;
}

/**
 * Buffers the lines of one turn of the event loop into one write, to save system calls. A killed process loses the
 * lines of its last turn only.
 */
export const byTurn = (out: DestinationStream): LogOutput => {
  let lines = '';
  const flushSync = (): void => {
    const leaving = lines;
    lines = '';
    if (leaving !== '') out.write(leaving);
  };
  return {
    write: (line) => {
      if (lines === '') setImmediate(flushSync);
      lines += line;
    },
    flushSync,
  };
};
