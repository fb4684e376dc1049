import { unkeptOf } from '@stanza/contracts/numbers';
import { CommandProblem } from '../problem.ts';

/** What is wrong with a text of JSON, and where. */
interface Fault {
  readonly at: number;
  readonly what: string;
}

/** Characters of a number that a message shows. */
const LONGEST = 40;

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a text
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;

/**
 * Reads a text of JSON as strictly as `JSON.parse`. Refuses a key that stands twice in one object, and a number whose
 * digits would be lost, as the API does.
 */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws Fault */
  scan(): void {
    this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#fail('nothing follows the value');
  }

  #fail(what: string, at = this.#at): never {
    throw { at, what: `this is not JSON: ${what}` } satisfies Fault;
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #takes(sign: string): boolean {
    this.#space();
    if (this.#text.charAt(this.#at) !== sign) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #value(): void {
    if (this.#takes('{')) this.#members();
    else if (this.#takes('[')) this.#items(']', () => this.#value());
    else if (this.#match(string) === undefined) this.#scalar();
  }

  #scalar(): void {
    const at = this.#at;
    const written = this.#match(scalar);
    if (written === undefined)
      this.#fail(at === this.#text.length ? 'the text ends here' : 'no value begins here');
    if (!/\d/.test(written) || unkeptOf(written) === undefined) return;
    const what = `${written.slice(0, LONGEST)} would not keep its digits as a number: put it in double quotes`;
    throw { at, what } satisfies Fault;
  }

  #members(): void {
    const keys = new Set<string>();
    this.#items('}', () => {
      this.#space();
      const at = this.#at;
      const key = this.#match(string) ?? this.#fail('a key in double quotes is missing');
      if (keys.has(key)) this.#fail(`the key ${key} stands twice`, at);
      keys.add(key);
      if (!this.#takes(':')) this.#fail(`a colon is missing after ${key}`);
      this.#value();
    });
  }

  #items(end: string, one: () => void): void {
    if (this.#takes(end)) return;
    do one();
    while (this.#takes(','));
    if (!this.#takes(end)) this.#fail(`a comma or ${end} is missing`);
  }
}

const isFault = (error: unknown): error is Fault =>
  typeof error === 'object' && error !== null && 'at' in error && 'what' in error;

/**
 * The value in a text of JSON.
 * @throws CommandProblem with the line and the column of what is wrong, also where a key stands twice or a number would
 * lose digits
 */
export const parseJson = (text: string, file: string): unknown => {
  try {
    new Scanner(text).scan();
  } catch (error) {
    if (!isFault(error)) throw error;
    const before = text.slice(0, error.at).split('\n');
    const place = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    throw new CommandProblem(`${file}:${place}: ${error.what}.`, 'Correct the file.');
  }
  return JSON.parse(text);
};
