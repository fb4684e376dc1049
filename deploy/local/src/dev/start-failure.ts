import { z } from 'zod';

/** A source file of the checkout in a text of Node, as in `file:///…/services/delivery/src/main.ts:3:1`. */
const place = /(?<file>(?:services|shared|deploy)\/[\w-]+\/src\/[^\s:()]+\.ts)(?::(?<line>\d+))?/;

/** The first source location of the checkout in the lines. */
export const firstOwnFrame = (lines: readonly string[]): string | undefined => {
  for (const line of lines) {
    const { file, line: number } = place.exec(line)?.groups ?? {};
    if (file !== undefined) return number === undefined ? file : `${file}:${number}`;
  }
  return undefined;
};

const fatalLine = z.object({
  level: z.enum(['error', 'fatal']),
  msg: z.string(),
  err: z
    .object({ type: z.string().optional(), message: z.string(), stack: z.string().optional() })
    .optional(),
  reason: z.string().optional(),
});

/** The fatal log line of a service. */
const readFatal = (line: string): string | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = fatalLine.safeParse(JSON.parse(line));
    if (!parsed.success) return undefined;
    const { msg, err, reason } = parsed.data;
    if (err === undefined) return [msg, reason].filter(Boolean).join(': ');
    const frame = firstOwnFrame(err.stack?.split('\n') ?? []);
    return `${msg}: ${err.type ?? 'Error'}: ${err.message}${frame === undefined ? '' : ` (${frame})`}`;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const thrown = /^(?:\w*Error|Error)(?: \[\w+\])?: .+/;

/** Lines above the message of an error of syntax: its file, the source, a mark below that, and an empty one. */
const linesAbove = 5;

/** The line with the file of a syntax error; for any other error the file is below the message. */
const heading = (lines: readonly string[], at: number): string[] =>
  lines.slice(Math.max(0, at - linesAbove), at).filter((line) => /^(?:file:\/\/)?\//.test(line));

/** An error that Node prints. */
const thrownAt = (lines: readonly string[], at: number): string => {
  const error = lines[at] ?? '';
  const frame = firstOwnFrame(lines.slice(at)) ?? firstOwnFrame(heading(lines, at));
  return frame === undefined || error.includes(frame) ? error : `${error} (${frame})`;
};

/**
 * Why a process ended, from the last lines of its log: the message of the last error and its file in the checkout.
 * Without an error it is the last line.
 */
export const startFailure = (lines: readonly string[]): string | undefined => {
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    const fatal = readFatal(line);
    if (fatal !== undefined) return fatal;
    if (thrown.test(line)) return thrownAt(lines, at);
  }
  return lines.findLast((line) => line.trim() !== '');
};
