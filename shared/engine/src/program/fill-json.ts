import { evaluatorOf } from '../expressions/placeholders/evaluate.ts';
import type { Reader } from '../expressions/placeholders/reference.ts';
import { hasPlaceholder, scanText } from '../expressions/placeholders/scan.ts';
import { textMakerOf } from '../expressions/placeholders/text.ts';
import { isList, isObject } from '../json.ts';
import { contextIn, type ParseContext } from '../parse/parse-context.ts';
import { withAddresses } from '../run/people.ts';
import { MixedText } from '../text/mixed-text.ts';
import { exactPosition } from '../text/positions.ts';
import { SafeText } from '../text/safe-text.ts';
import { type Refusal, refusal, startContext } from './parse-template.ts';
import { type Failed, failed, messagesOf, type RunOptions, runWithin } from './run-blocks.ts';

/** The result of filling in. */
export type FillResult =
  | { readonly ok: true; readonly json: unknown; readonly warnings: string[] }
  | Failed
  | Refusal;

/** The value of a placeholder that stands alone keeps its JSON type; one that is missing is null. */
const wholeValue = (read: Reader): Reader => {
  return (run) => {
    const value = withAddresses(run, read(run));
    return value instanceof SafeText || value instanceof MixedText ? value.text : (value ?? null);
  };
};

const fillText = (text: string, context: ParseContext): Reader | undefined => {
  if (!hasPlaceholder(text)) return () => text;
  const scanned = scanText(text, context);
  if (scanned === undefined) return undefined;
  const [hole, ...others] = scanned.holes;
  if (scanned.head === '' && hole !== undefined && hole.after === '' && others.length === 0) {
    return wholeValue(evaluatorOf(hole.placeholder, 'exact', exactPosition, context.pointer));
  }
  const write = textMakerOf(scanned, 'exact', Number.POSITIVE_INFINITY, context);
  return write && ((run) => write(run, Number.POSITIVE_INFINITY));
};

const sound = (readers: readonly (Reader | undefined)[]): Reader[] | undefined => {
  const found = readers.filter((reader) => reader !== undefined);
  return found.length === readers.length ? found : undefined;
};

const fillInside = (value: unknown, context: ParseContext): Reader | undefined => {
  if (typeof value === 'string') return fillText(value, context);
  if (isList(value)) {
    const items = sound(value.map((item, index) => fillInside(item, contextIn(context, index))));
    return items && ((run) => items.map((read) => read(run)));
  }
  if (!isObject(value)) return () => value;
  const keys = Object.keys(value);
  const fields = sound(keys.map((key) => fillInside(value[key], contextIn(context, key))));
  return fields && ((run) => Object.fromEntries(fields.map((read, at) => [keys[at], read(run)])));
};

/**
 * Fills in the placeholders of any JSON value: what an interaction hands on when it is used.
 *
 * @param data the values that the message kept, by path as written, next to what is read as usual
 */
export const fillJson = (
  json: unknown,
  data: Readonly<Record<string, unknown>>,
  options: RunOptions & { saved: ReadonlySet<string> },
): FillResult => {
  const context = startContext('message', { saved: options.saved });
  const fill = fillInside(json, context);
  if (fill === undefined || context.parsing.problems.count > 0) return refusal(context);
  return runWithin<FillResult>(data, options, (run) => {
    const filled = fill(run);
    if (run.problems !== undefined || run.dataProblems !== undefined) return failed(run);
    return { ok: true, json: filled, warnings: messagesOf(run) };
  });
};
