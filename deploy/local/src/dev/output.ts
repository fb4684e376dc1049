import { colours } from '../progress.ts';
import { drawLine, isShown, jsonLine, type Level, type LogFilter, type LogLine } from './log-line.ts';

/** Options of {@link devOutput}. */
export interface OutputOptions {
  filter: LogFilter;
  /** Lines of JSON instead of lines for people. */
  json: boolean;
}

/** The stream of the lines of all processes. */
export interface DevOutput {
  /** Writes the lines that pass the filter. */
  show(lines: readonly LogLine[]): void;
  /** Writes a line of the command itself, which is never filtered. */
  say(level: Level, msg: string, fields?: Record<string, unknown>): void;
}

/** Writes to standard output. */
export const devOutput = ({ filter, json }: OutputOptions): DevOutput => {
  const paint = colours();
  const write = (lines: readonly LogLine[]): void => {
    const texts = lines.map((line) => (json ? jsonLine(line) : drawLine(line, paint)));
    if (texts.length > 0) process.stdout.write(`${texts.join('\n')}\n`);
  };
  return {
    show: (lines) => write(lines.filter((line) => isShown(line, filter))),
    say: (level, msg, more = {}) => {
      const fields = { time: new Date().toISOString(), level, service: 'dev', msg, ...more };
      write([{ process: 'dev', text: JSON.stringify(fields), fields }]);
    },
  };
};
