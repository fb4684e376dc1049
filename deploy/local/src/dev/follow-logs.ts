import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { codeOf } from '../failure.ts';
import { type LogLine, readLine } from './log-line.ts';

const lookEveryMs = 100;
const chunkBytes = 64 * 1024;

const sizeOf = (file: string): number => {
  try {
    return statSync(file).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
};

/** The lines that are appended to one log. */
class Follower {
  #process: string;
  #file: string;
  #offset: number;
  #decoder = new StringDecoder('utf8');
  #partial = '';

  constructor(process: string, file: string, offset: number) {
    this.#process = process;
    this.#file = file;
    this.#offset = offset;
  }

  read(): LogLine[] {
    const size = sizeOf(this.#file);
    // A log that has grown too large is emptied in place.
    if (size < this.#offset) this.#offset = 0;
    if (size === this.#offset) return [];
    const lines = `${this.#partial}${this.#text(size)}`.split('\n');
    this.#partial = lines.pop() ?? '';
    return lines.filter((line) => line !== '').map((line) => readLine(this.#process, line));
  }

  #text(end: number): string {
    const handle = openSync(this.#file, 'r');
    try {
      const bytes = Buffer.alloc(Math.min(chunkBytes, end - this.#offset));
      let text = '';
      while (this.#offset < end) {
        const count = readSync(handle, bytes, 0, Math.min(bytes.length, end - this.#offset), this.#offset);
        if (count === 0) break;
        this.#offset += count;
        text += this.#decoder.write(bytes.subarray(0, count));
      }
      return text;
    } finally {
      closeSync(handle);
    }
  }
}

/** Options of {@link followLogs}. */
export interface FollowOptions {
  /** The folder with one log for each process. */
  folder: string;
  processes: readonly string[];
  /** True to begin with the existing lines; false to show only new ones. */
  fromStart: boolean;
  /** Gets the new lines of all processes, in the order of their times. */
  onLines: (lines: LogLine[]) => void;
}

/** The lines of all logs by time; a line without a time follows the line before it. */
const inOrder = (logs: readonly LogLine[][]): LogLine[] =>
  logs
    .flatMap((lines) => {
      let time = '';
      return lines.map((line) => {
        time = line.fields?.time ?? time;
        return { line, time };
      });
    })
    .sort((one, other) => (one.time === other.time ? 0 : one.time < other.time ? -1 : 1))
    .map(({ line }) => line);

/** Follows the logs of processes as one; returns functions that read the remaining lines and that stop. */
export const followLogs = ({ folder, processes, fromStart, onLines }: FollowOptions): (() => void) => {
  const followers = processes.map((process) => {
    const file = join(folder, `${process}.log`);
    return new Follower(process, file, fromStart ? 0 : sizeOf(file));
  });
  const look = (): void => {
    const lines = inOrder(followers.map((follower) => follower.read()));
    if (lines.length > 0) onLines(lines);
  };
  look();
  const timer = setInterval(look, lookEveryMs);
  return () => {
    clearInterval(timer);
    look();
  };
};
