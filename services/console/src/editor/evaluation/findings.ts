import {
  fallbackPointer,
  isBareKey,
  limits,
  nearestName,
  type Problem,
  stepInto,
  stepsFromTop,
  type Warning,
} from '@stanza/engine';
import { isObject } from '../../json.ts';
import { lastStep, valueAt } from '../document/pointer.ts';
import { wordsOf } from '../document/words.ts';

/** What one press does about a finding. */
export interface Remedy {
  /** What is written instead. */
  readonly name: string;
  readonly pointer: string;
  /** `text` replaces `given` in the text at the pointer; `key` renames the last step of the pointer. */
  readonly kind: 'text' | 'key';
  readonly given: string;
}

/** Something that is wrong with a template or its data, for people. */
export interface Finding {
  /** A problem keeps the template from being saved or sent; a warning does not. */
  readonly kind: 'problem' | 'warning';
  /** Into the document; empty for the whole. */
  readonly pointer: string;
  readonly message: string;
  /** What may be done, in a sentence. */
  readonly hint?: string | undefined;
  /** The limit that was passed, with its figure. */
  readonly limit?: string | undefined;
  readonly remedy?: Remedy | undefined;
  /** A value that the data lacks. */
  readonly missing?: string | undefined;
}

/** The template and the data that a finding is about. */
export interface About {
  readonly blocks: readonly unknown[];
  readonly data: Readonly<Record<string, unknown>>;
}

const pointerOf = (pointer: string): string => (pointer === fallbackPointer ? pointer : `/blocks${pointer}`);

const figure = (name: string): string | undefined => {
  const [, limit] = Object.entries(limits).find(([known]) => known === name) ?? [];
  return limit === undefined ? undefined : `${name}: at most ${limit.max.toLocaleString('en')} ${limit.unit}`;
};

const suggested = (hint: string | undefined): string | undefined =>
  /^Did you mean `([^`]+)`\?$/.exec(hint ?? '')?.[1];

const quotedIn = (message: string): string[] =>
  [...message.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The first name of a sentence; a name may have backticks in it. */
const firstQuoted = (message: string): string | undefined => /^`(.+)` /s.exec(message)?.[1];

const remedyOfHint = (problem: Problem, pointer: string, about: About): Remedy | undefined => {
  const name = suggested(problem.hint);
  if (name === undefined) return undefined;
  const value = valueAt(about, pointer);
  const known = quotedIn(problem.message);
  if (typeof value === 'string') {
    const given = known.find((word) => value.includes(word));
    return given === undefined ? undefined : { kind: 'text', pointer, name, given };
  }
  const given = lastStep(pointer);
  return known.includes(given) ? { kind: 'key', pointer, name, given } : undefined;
};

/** Whether one key can stand for another where the template writes that: bare behind a dot, or in quotes. */
const isWrittenLike = (name: string, given: string): boolean =>
  isBareKey(name) || (!isBareKey(given) && !/["'\\\n]/.test(name));

/** A name of the data that a missing one most likely means. */
const remedyOfMissing = (path: string, pointer: string, about: About): Remedy | undefined => {
  const steps = stepsFromTop(path) ?? [];
  const holder = steps.slice(0, -1).reduce<unknown>(stepInto, about.data);
  const given = steps.at(-1);
  const text = valueAt(about, pointer);
  if (typeof given !== 'string' || given === '' || !isObject(holder)) return undefined;
  if (typeof text !== 'string' || !text.includes(given)) return undefined;
  const name = nearestName(given, Object.keys(holder));
  if (name === undefined || name === given || !isWrittenLike(name, given)) return undefined;
  return { kind: 'text', pointer, name, given };
};

const withRemedy = (finding: Finding, path: string | undefined, about: About): Finding => {
  const remedy = path === undefined ? undefined : remedyOfMissing(path, finding.pointer, about);
  return remedy === undefined ? finding : { ...finding, remedy, hint: `Did you mean \`${remedy.name}\`?` };
};

/** A problem of the engine, with its place in the document. */
export const findingOfProblem = (problem: Problem, about: About): Finding => {
  const pointer = pointerOf(problem.pointer);
  // The engine names the path of a problem in its sentence alone.
  const path = problem.rule === 'value.missing' ? firstQuoted(problem.message) : undefined;
  return withRemedy(
    {
      kind: 'problem',
      pointer,
      message: problem.message,
      hint: problem.hint,
      limit: problem.limit && figure(problem.limit),
      remedy: remedyOfHint(problem, pointer, about),
    },
    path,
    about,
  );
};

/** A warning in one sentence, without the place, which is shown otherwise. */
const storyOf = ({ pointer, message }: Warning): string =>
  pointer === '' ? message : message.slice(`${pointer}: `.length);

/** What is left out, called as the outline calls it. */
const partNamed = (what: string): string => {
  const [, type, kind] = /^([a-z_]+)(?: [a-z ]+)? (block|element)$/.exec(what) ?? [];
  return type === undefined ? `the ${what}` : `the ${kind} “${wordsOf(type)}”`;
};

/** The sentence of a warning for people, who choose by name what programs name by id, and know fields by their labels. */
const sentenceOf = (warning: Warning): string => {
  const { reference, rule } = warning;
  if (reference !== undefined) return `no ${reference} is chosen here yet, so the element does nothing.`;
  const story = storyOf(warning);
  if (rule !== 'empty.dropped') return story;
  return story
    .replace(/^the ([a-z_ ]+?) is left out/, (_, what: string) => `${partNamed(what)} is left out`)
    .replaceAll(/`([a-z_]+)`/g, (_, field: string) => `“${wordsOf(field)}”`);
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A warning of the engine, with its place in the document. */
export const findingOfWarning = (warning: Warning, about: About): Finding => {
  const message = sentenceOf(warning);
  const limit = quotedIn(message)
    .map(figure)
    .find((text) => text !== undefined);
  const pointer = warning.pointer === '' ? '' : pointerOf(warning.pointer);
  const missing = warning.rule === 'value.missing' ? warning.path : undefined;
  const finding: Finding = { kind: 'warning', pointer, message: capitalized(message), limit };
  return withRemedy(missing === undefined ? finding : { ...finding, missing }, missing, about);
};

/** The key of a list of findings: the same one twice is one too many. */
export const keyOf = ({ kind, pointer, message }: Finding): string => `${kind} ${pointer} ${message}`;
