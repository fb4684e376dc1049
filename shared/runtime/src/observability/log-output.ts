import type { DestinationStream } from 'pino';

/** Where lines go, and how what is left of them goes at once: pino asks for it after a fatal line. */
export interface LogOutput extends DestinationStream {
  flushSync(): void;
}

/**
 * Lines that are written in one turn of the event loop leave in one write: each is a call of the system, and a busy
 * process writes many in a turn. A process that is killed loses the lines of its last turn and no others.
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
