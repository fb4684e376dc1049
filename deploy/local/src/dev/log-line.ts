import type picocolors from 'picocolors';
import { z } from 'zod';
import { firstOwnFrame } from './start-failure.ts';

/** Levels of lines, the lowest first. */
export const levels = ['debug', 'info', 'warn', 'error', 'fatal'] as const;

/** A level of lines. */
export type Level = (typeof levels)[number];

const structured = z.looseObject({
  msg: z.string(),
  time: z.string().optional(),
  level: z.enum(levels).optional(),
});

/** A line of the log of a process. */
export interface LogLine {
  process: string;
  /** The text as written. */
  text: string;
  /** Its fields; undefined for a line that is not JSON, such as a stack trace of Node. */
  fields: z.output<typeof structured> | undefined;
}

/** Filter of the lines to show. */
export interface LogFilter {
  /** Processes, by name; undefined for the services, the sandbox and the migrations. */
  only?: ReadonlySet<string> | undefined;
  /** The request that a line must belong to. */
  request?: string | undefined;
  /** The lowest level. */
  level?: Level | undefined;
}

/** Reads a line that a process wrote. */
export const readLine = (process: string, text: string): LogLine => {
  if (!text.startsWith('{')) return { process, text, fields: undefined };
  try {
    const parsed = structured.safeParse(JSON.parse(text));
    return { process, text, fields: parsed.success ? parsed.data : undefined };
  } catch (error) {
    if (error instanceof SyntaxError) return { process, text, fields: undefined };
    throw error;
  }
};

/** True when a line passes the filter. A line that is not JSON has no level and no request. */
export const isShown = ({ process, fields }: LogLine, { only, request, level }: LogFilter): boolean => {
  if (only !== undefined && !only.has(process)) return false;
  if (request !== undefined && fields?.request_id !== request) return false;
  if (level === undefined || fields === undefined) return true;
  return levels.indexOf(fields.level ?? 'info') >= levels.indexOf(level);
};

/** Fields with a column of their own, and fields that repeat others. */
const unlisted = new Set([
  'time',
  'level',
  'service',
  'msg',
  'trace_id',
  'organization_id',
  'environment',
  'actor',
]);

const loggedError = z.looseObject({
  type: z.string().optional(),
  message: z.string(),
  stack: z.string().optional(),
});

const errorText = (value: unknown): string => {
  const parsed = loggedError.safeParse(value);
  if (!parsed.success) return JSON.stringify(value);
  const { type, message, stack } = parsed.data;
  const frame = firstOwnFrame(stack?.split('\n') ?? []);
  return `${type ?? 'Error'}: ${message}${frame === undefined ? '' : ` (${frame})`}`;
};

const valueText = (name: string, value: unknown): string => {
  if (name === 'err') return errorText(value);
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
};

/** Colours of the lines, or none. */
export type Paint = ReturnType<typeof picocolors.createColors>;

type Colour = (text: string) => string;

const coloursOf = (paint: Paint): readonly Colour[] => [
  paint.cyan,
  paint.magenta,
  paint.green,
  paint.blue,
  paint.yellow,
  paint.cyanBright,
  paint.magentaBright,
];

/** The processes in the order of their colours; any other has none. */
const painted = ['organization', 'template', 'compile', 'delivery', 'queue-ingest', 'gateway', 'sandbox'];

const paintLevel = (level: Level, paint: Paint): string => {
  const text = level.padEnd(5);
  if (level === 'warn') return paint.yellow(text);
  if (level === 'error' || level === 'fatal') return paint.red(text);
  return paint.dim(text);
};

const nameWidth = 12;
const noTime = ' '.repeat('00:00:00.000'.length);

/** Formats a line for people: time (UTC), process, level, message, and the remaining fields. */
export const drawLine = ({ process, text, fields }: LogLine, paint: Paint): string => {
  const colour = coloursOf(paint)[painted.indexOf(process)] ?? paint.bold;
  const name = colour(process.padEnd(nameWidth));
  if (fields === undefined) return `${noTime} ${name} ${text}`;
  const time = fields.time?.slice('2026-01-01T'.length, '2026-01-01T00:00:00.000'.length) ?? noTime;
  const rest = Object.entries(fields)
    .filter(([key, value]) => !unlisted.has(key) && value !== undefined)
    .map(([key, value]) => `${paint.dim(`${key}=`)}${valueText(key, value)}`);
  const level = paintLevel(fields.level ?? 'info', paint);
  return [paint.dim(time), name, level, fields.msg, ...rest].join(' ');
};

/** A line as JSON: unchanged, or as the message of a new line when it is not JSON. */
export const jsonLine = ({ process, text, fields }: LogLine): string =>
  fields === undefined ? JSON.stringify({ service: process, msg: text }) : text;
