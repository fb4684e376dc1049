import { limits } from '../limits.ts';
import type { Mentions } from './mentions.ts';
import { type Run, warn } from './run.ts';

const { max } = limits['message.people'];

/** Characters of an address at most; longer ones are no addresses of people. */
const longest = 254;
const emailForm = /^[^\s@<>()[\]\\,;:"]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

/** An e-mail address as people are looked up by it, in lower case; undefined for any other text. */
export const emailOf = (text: string): string | undefined => {
  if (text.length > longest || !text.includes('@')) return undefined;
  const email = text.trim().toLowerCase();
  return emailForm.test(email) ? email : undefined;
};

/** A mention by e-mail: the address as the data gives it, and its place. */
export interface MentionPlace {
  readonly address: string;
  /** The path of the address in the data. */
  readonly path: string;
  readonly pointer: string;
}

/** The person of an address whose id is not known. Each place decides what stands there instead, and says so. */
export class UnknownPerson {
  readonly address: string;
  readonly #pointer: string;
  readonly #reason: string;
  /** Names what one warning is enough for. */
  readonly #cause: string;

  constructor({ address, pointer }: MentionPlace, reason: string, cause: string) {
    this.address = address;
    this.#pointer = pointer;
    this.#reason = reason;
    this.#cause = cause;
  }

  /** Warns that the person is not mentioned, and what stands there instead; once for each cause. */
  tell(run: Run, effect: string): void {
    const { told } = mentionsOf(run);
    const key = `${effect} ${this.#cause}`;
    if (told.has(key)) return;
    told.add(key);
    warn(run, 'mention.unknown', this.#pointer, `${this.#reason}, so ${effect}.`);
  }
}

const mentionsOf = (run: Run): Mentions => {
  run.mentions ??= { wanted: new Set(), told: new Set() };
  return run.mentions;
};

/** Whether a run may look this address up; it is then among the wanted ones. */
const mayWant = ({ wanted }: Mentions, email: string): boolean => {
  if (wanted.has(email)) return true;
  if (wanted.size >= max) return false;
  wanted.add(email);
  return true;
};

/** The id of the person of an address, or why there is none. */
export const personOf = (run: Run, email: string, place: MentionPlace): string | UnknownPerson => {
  const { path } = place;
  if (!mayWant(mentionsOf(run), email)) {
    const reason = `a message looks up ${max} people by e-mail at most (\`message.people\`; chat ids need no look-up), and \`${path}\` is beyond`;
    return new UnknownPerson(place, reason, 'limit');
  }
  if (run.people === undefined) {
    const reason = `\`${path}\` is an e-mail address; people are looked up on sends alone`;
    return new UnknownPerson(place, reason, 'compile');
  }
  const id = Object.hasOwn(run.people, email) ? run.people[email] : undefined;
  if (typeof id === 'string') return id;
  const reason =
    id === null
      ? `the workspace has no person with the e-mail address of \`${path}\``
      : `the person with the e-mail address of \`${path}\` could not be looked up`;
  return new UnknownPerson(place, reason, email);
};

/** The addresses that a run wants looked up; undefined where it has the people, or mentions none by e-mail. */
export const wantedOf = ({ people, mentions }: Run): string[] | undefined =>
  mentions === undefined || people !== undefined || mentions.wanted.size === 0
    ? undefined
    : [...mentions.wanted];

const inPlace = 'the address stands there';
const leftOut = 'it is left out';

/** A value in which addresses stand for people who are not known, in a list too. */
export const withAddresses = (run: Run, value: unknown): unknown => {
  if (value instanceof UnknownPerson) {
    value.tell(run, inPlace);
    return value.address;
  }
  if (!Array.isArray(value) || !value.some((item) => item instanceof UnknownPerson)) return value;
  return value.map((item: unknown) => withAddresses(run, item));
};

/** A value without the people who are not known, in a list too; undefined where it is one of them. */
export const withoutUnknown = (run: Run, value: unknown): unknown => {
  if (value instanceof UnknownPerson) {
    value.tell(run, leftOut);
    return undefined;
  }
  if (!Array.isArray(value) || !value.some((item) => item instanceof UnknownPerson)) return value;
  return value.filter((item: unknown) => withoutUnknown(run, item) !== undefined);
};
