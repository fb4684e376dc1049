import { distance } from 'fastest-levenshtein';
import { hasPlaceholder } from '../expressions/placeholders/scan.ts';
import { freezeDeep, isList, isObject } from '../json.ts';
import { comparedOn, type LimitName, limitOf } from '../limits.ts';
import { nearestName } from '../parse/nearest.ts';
import type { Node } from '../parse/node.ts';
import { overLimit, type ParseContext, report, warnOfTemplate } from '../parse/parse-context.ts';
import { codePoints } from '../text/cut.ts';

/** Keys of the template language itself: where one of them has no place, the author means something by it. */
const ownWords = [
  ...['source', 'as', 'columns', 'max_items', 'max_rows', 'overflow_text', 'item', 'interaction'],
  ...['path', 'children', 'condition', 'operator', 'else', 'empty', 'directive'],
];

/** Names as the platform gives them. */
const platformName = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

const lettersOf = (name: string): string => [...name].sort().join('');

/** Whether a name is another with a letter or two wrong. A short one must be nearer: `tone` is no `type`. */
const isMisspelt = (name: string, known: readonly string[]): boolean => {
  const nearest = nearestName(name, known);
  if (nearest === undefined || name.length > 4) return nearest !== undefined;
  return distance(name, nearest) <= 1 || lettersOf(name) === lettersOf(nearest);
};

/**
 * Whether a name that the tables do not know may be one that the platform has added since. What is near a known name is
 * a typing error, and so is a word of the template language. `constructor` and the like, which JavaScript reads something
 * into, are never new.
 */
export const mayBeNew = (name: string, known: readonly string[]): boolean =>
  name.length <= 64 &&
  platformName.test(name) &&
  !Reflect.has(Object.prototype, name) &&
  !isMisspelt(name, known) &&
  !isMisspelt(name, ownWords);

interface Tally {
  objects: number;
  units: number;
  text: number;
  fault: 'placeholder' | 'directive' | Extract<LimitName, `engine.unknown_${string}`> | undefined;
}

/** Characters that a number, a flag or the marks of a key take about. */
const marks = 6;

const spend = (tally: Tally, units: number): void => {
  tally.units += units;
  if (tally.units > limitOf('engine.unknown_characters').max) tally.fault ??= 'engine.unknown_characters';
};

/** A copy of a plain value, so that freezing it changes nothing of the caller's. Stops at the first fault. */
const copyOf = (value: unknown, levels: number, tally: Tally): unknown => {
  if (tally.fault !== undefined) return undefined;
  if (typeof value === 'string') {
    if (hasPlaceholder(value)) tally.fault = 'placeholder';
    spend(tally, value.length);
    return value;
  }
  spend(tally, marks);
  if (!isList(value) && !isObject(value)) return value;
  if (levels === 0) {
    tally.fault = 'engine.unknown_depth';
    return undefined;
  }
  tally.objects += 1;
  if (isList(value)) return value.map((entry) => copyOf(entry, levels - 1, tally));
  if (value.type === 'directive') tally.fault = 'directive';
  const copy = Object.entries(value).map(([key, entry]): [string, unknown] => {
    if (hasPlaceholder(key)) tally.fault = 'placeholder';
    spend(tally, key.length);
    if (key === 'text' && typeof entry === 'string') tally.text += codePoints(entry);
    return [key, copyOf(entry, levels - 1, tally)];
  });
  return Object.fromEntries(copy);
};

/**
 * Parses a value that the tables do not know: plain JSON passes to the platform as it is, with a warning. A placeholder
 * or a directive inside would stay as it is, so it is refused.
 *
 * @param name what is not known, for messages: "the key `x` of a section block"
 */
export const parseUnknown = (value: unknown, name: string, context: ParseContext): Node | undefined => {
  const tally: Tally = { objects: 0, units: 0, text: 0, fault: undefined };
  const { max } = limitOf('engine.unknown_depth');
  const copy = copyOf(value, max, tally);
  const { fault, ...cost } = tally;
  if (fault === 'placeholder' || fault === 'directive') {
    return report(context, 'placeholder.place', `Nothing would be filled in here: ${name} is not known.`, {
      hint: `Write its values out, without a ${fault}, or leave it out.`,
    });
  }
  if (fault !== undefined) {
    const actual = fault === 'engine.unknown_depth' ? max + 1 : tally.units;
    context.parsing.problems.add(overLimit(context.pointer, fault, actual));
    return undefined;
  }
  warnOfTemplate(
    context,
    'platform.unknown',
    `${name} is not in the tables of ${comparedOn}; it goes to the platform as it is, unchecked.`,
  );
  return { fixed: true, value: freezeDeep(copy), ...cost };
};
