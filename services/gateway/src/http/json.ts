import { randomUUID } from 'node:crypto';
import {
  CodedError,
  limits,
  listedIssues,
  replaceNumbers,
  type UnkeptNumber,
  unkeptOf,
  type ValidationIssue,
} from '@stanza/contracts';

const quote = 0x22;
const backslash = 0x5c;
/** Sets the one bit by which a bracket differs from a brace. */
const asBrace = 0x20;
const opens = 0x7b;
const closes = 0x7d;

/** Where the string ends that begins at `begin`: at the next quote behind an even number of backslashes. */
const endOfString = (text: string, begin: number): number => {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
};

/** True when the brackets of a JSON text nest deeper than `depth`; scans the text, so that no deep value is built. */
export const nestsDeeperThan = (text: string, depth: number): boolean => {
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if ((code | asBrace) === opens) {
      level += 1;
      if (level > depth) return true;
    } else if ((code | asBrace) === closes) level -= 1;
  }
  return false;
};

/**
 * True when a JSON text may contain unsupported values: only escapes introduce characters that cannot be stored, only
 * an exponent or sixteen digits a number beyond a double's precision, and the forbidden key is searched by name. A
 * number follows white space or punctuation, so ids in quotes are skipped.
 */
export const mayBeUnacceptable = (text: string): boolean =>
  text.includes('\\u') ||
  text.includes('__proto__') ||
  /(?:^|[\s:,[])-?(?:\d[\d.]*[eE]|\d[\d.]{15})/.test(text);

const reasons: Readonly<Record<UnkeptNumber, string>> = {
  out_of_range: 'exceeds the range of a number',
  digits_lost: 'is a whole number beyond the precision of a number; send it as a string',
};

/** A value in which the first unsupported numbers are texts, and what each of these says of its number. */
interface Marked {
  json: unknown;
  marks: ReadonlyMap<string, string>;
}

/** Puts a mark in the place of the first numbers that a double cannot hold exactly. */
const markNumbers = (text: string, json: unknown): Marked => {
  const marks = new Map<string, string>();
  const prefix = randomUUID();
  const marked = replaceNumbers(text, (written) => {
    const unkept = marks.size === listedIssues ? undefined : unkeptOf(written);
    if (unkept === undefined) return written;
    const mark = `${prefix} ${marks.size}`;
    marks.set(mark, reasons[unkept]);
    return `"${mark}"`;
  });
  return { json: marks.size === 0 ? json : JSON.parse(marked), marks };
};

const troubleOf = (text: string): string | undefined => {
  if (text.includes('\u0000')) return 'contains the character U+0000, which cannot be stored';
  return text.isWellFormed() ? undefined : 'contains an unpaired surrogate, which is not a character';
};

const troubleOfKey = (key: string): string | undefined =>
  key === '__proto__' ? 'is not allowed as a key' : troubleOf(key);

/** Collects the issues of a value, as many as an answer lists: a body can hold tens of thousands. */
class Unacceptable {
  readonly issues: ValidationIssue[] = [];
  readonly #path: (string | number)[] = [];
  readonly #marks: Marked['marks'];

  constructor(marks: Marked['marks']) {
    this.#marks = marks;
  }

  add(message: string | undefined): void {
    if (message === undefined || this.issues.length === listedIssues) return;
    this.issues.push({ code: 'custom', path: [...this.#path], message });
  }

  walk(value: unknown): void {
    if (this.issues.length === listedIssues) return;
    if (typeof value === 'string') this.add(this.#marks.get(value) ?? troubleOf(value));
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) this.#enter(index, item);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value))
        this.#enter(key.toWellFormed(), item, troubleOfKey(key));
  }

  #enter(step: string | number, value: unknown, trouble?: string): void {
    this.#path.push(step);
    this.add(trouble);
    this.walk(value);
    this.#path.pop();
  }
}

/**
 * The texts that Postgres cannot store, inexact numbers, and keys `__proto__`, each with its path.
 * @param marks says of which texts of the value stand for a number
 */
export const unacceptable = (value: unknown, marks: Marked['marks'] = new Map()): ValidationIssue[] => {
  const found = new Unacceptable(marks);
  found.walk(value);
  return found.issues;
};

/** A JSON text and its unsupported values. */
export interface ReadJson {
  json: unknown;
  issues: ValidationIssue[];
}

/**
 * Parses a JSON text. A value that JavaScript cannot hold exactly becomes an issue and is never changed silently.
 * @throws SyntaxError when it is not JSON
 */
export const readJson = (text: string): ReadJson => {
  const json: unknown = JSON.parse(text);
  if (!mayBeUnacceptable(text)) return { json, issues: [] };
  const { json: marked, marks } = markNumbers(text, json);
  return { json, issues: unacceptable(marked, marks) };
};

const decoder = new TextDecoder('utf-8', { fatal: true });

const refused = (message: string, cause?: unknown): CodedError =>
  new CodedError('invalid_request', { message }, { cause });

/**
 * Parses the bytes of a JSON text, within the limit of depth.
 * @param what names it in the message of a refusal: `body`
 * @throws CodedError `invalid_request`
 */
export const readJsonBytes = (bytes: Uint8Array, what: string): ReadJson => {
  try {
    const text = decoder.decode(bytes);
    if (nestsDeeperThan(text, limits.bodyDepth))
      throw refused(`The ${what} is nested deeper than ${limits.bodyDepth} levels.`);
    return readJson(text);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw refused(`The ${what} is not valid JSON in UTF-8.`, error);
  }
};
