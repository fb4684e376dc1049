import { jsonTypeOf } from '../../json.ts';
import { describeReference, type Reference } from '../../run/frame.ts';
import type { Run } from '../../run/run.ts';
import { spendEvaluations, warn } from '../../run/run.ts';
import { isMarked, type TextKind } from '../../text/escape.ts';
import type { MixedText } from '../../text/mixed-text.ts';
import type { Position } from '../../text/positions.ts';
import { richTextWords } from '../rich-text-words.ts';

/** A value that a filter takes after its name. */
export type Argument = string | number | boolean;

/** The context of a filter. */
export interface FilterEnvironment {
  readonly run: Run;
  /** The text that the value goes into; `plain` where neither marks nor styles work. */
  readonly kind: TextKind;
  /** Where in the text. */
  readonly position: Position;
  readonly pointer: string;
  /** The path that the placeholder reads. */
  readonly reference: Reference;
  /** A machine reads a number here: the filter `number` rounds it, and writes it for nobody. */
  readonly isNumber?: boolean;
}

/** The kind of the text where filters may make marks of the platform: mentions, links, dates. */
export const markedKind = ({ kind, position }: FilterEnvironment): 'mrkdwn' | 'markdown' | undefined =>
  isMarked(kind) && position.takesMarks ? kind : undefined;

/** An argument of a filter: its description and its check. */
export interface ArgumentRule {
  readonly needs: string;
  readonly accepts: (argument: Argument) => boolean;
  readonly optional?: boolean;
}

/** One filter of the language. */
export interface Filter {
  readonly name: string;
  readonly takes: readonly ArgumentRule[];
  /** Its cost, in evaluations of a plain placeholder; 1 when omitted. */
  readonly cost?: number;
  /** Marks of styles and code that it may bring into a text, besides those of what the template gives it. */
  readonly marks?: string;
  /** Makes marks of the platform; only `default` may follow. */
  readonly last?: boolean;
  /** Changes a value that is there; missing ones never reach a filter. */
  readonly apply: (value: unknown, given: readonly Argument[], environment: FilterEnvironment) => unknown;
  /** Changes words of the template so that they stay its own. Without it a value is made of them. */
  readonly applyToWords?: (
    words: MixedText,
    given: readonly Argument[],
    environment: FilterEnvironment,
  ) => unknown;
  readonly meaning: string;
  readonly example: string;
}

/** A value as text where it is a string, a finite number or a boolean. */
export const scalarText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'boolean' ? String(value) : undefined;
};

/** An item of a list that stands for nothing: it is left out where the list is shown, with its separator. */
export const isAbsent = (item: unknown): boolean => item === null || item === '';

/** The items of a list as texts, without those that stand for nothing; undefined where one is no text. */
export const textsOf = (list: readonly unknown[]): string[] | undefined => {
  const texts: string[] = [];
  for (const item of list) {
    if (isAbsent(item)) continue;
    const text = scalarText(item);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
};

const decimal = /^[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][+-]?\d{1,3})?$/;

/** Whether a text is a decimal number. Formats take it as it is written, so that long numbers keep their digits. */
export const isDecimal = (value: unknown): value is Intl.StringNumericLiteral =>
  typeof value === 'string' && decimal.test(value.trim());

/** A value as a number where it is one, or a text that is one. */
export const numberOf = (value: unknown): number | undefined => {
  const number = isDecimal(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  // Minus zero would be written with its sign.
  return number === 0 ? 0 : number;
};

/**
 * Notes a value that a filter cannot work on, by its path and type, and gives it back as it is.
 *
 * @param step of an item of the value, from its path
 */
export const unformatted = (
  value: unknown,
  needs: string,
  environment: FilterEnvironment,
  step = '',
): unknown => {
  const { run, pointer, reference } = environment;
  const story = (): string =>
    `\`${describeReference(reference, run.frame)}${step}\` is ${jsonTypeOf(value)} and not ${needs}, so it stands there as it is.`;
  warn(run, 'value.not_formatted', pointer, story);
  return value;
};

/** Charges a text that a filter has made, of whatever length. */
export const spendOn = (run: Run, length: number): void => spendEvaluations(run, length >> 6);

/** A filter that changes texts. */
export const textFilter =
  (
    change: (text: string, given: readonly Argument[], environment: FilterEnvironment) => unknown,
  ): Filter['apply'] =>
  (value, given, environment) => {
    const text = scalarText(value) ?? richTextWords(value, environment.run);
    if (text === undefined) return unformatted(value, 'a text', environment);
    return change(text, given, environment);
  };

/** A filter that changes texts and words of the template, part by part. */
export const wordFilter = (
  change: (text: string, environment: FilterEnvironment) => string,
): Pick<Filter, 'apply' | 'applyToWords'> => ({
  apply: textFilter((text, _, environment) => change(text, environment)),
  applyToWords: (words, _, environment) => words.map((text) => change(text, environment)),
});
