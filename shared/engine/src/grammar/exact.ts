import { hasPlaceholder, scanText } from '../expressions/placeholders/scan.ts';
import { textMakerOf } from '../expressions/placeholders/text.ts';
import { type LimitName, limitOf } from '../limits.ts';
import { fixed, made, type Node } from '../parse/node.ts';
import { overLimit, type ParseContext, report, reportType } from '../parse/parse-context.ts';
import { noteDataProblem, noteProblem, type Run, spendOutput } from '../run/run.ts';
import { codePoints, isLonger } from '../text/cut.ts';
import type { Grammar } from './grammar.ts';

interface ExactOptions {
  /** An empty text is a value of its own here. */
  readonly mayBeEmpty?: boolean;
  /** The pattern of the text, with its description. */
  readonly form?: { readonly pattern: RegExp; readonly words: string };
}

/** An address that the platform itself fetches. */
export const webAddress: ExactOptions = {
  form: { pattern: /^https?:\/\/\S+$/i, words: 'a web address (https://…)' },
};

/** An address that the platform shows inside a message. */
export const secureAddress: ExactOptions = {
  form: { pattern: /^https:\/\/\S+$/i, words: 'an address with https' },
};

/**
 * Checks a text that data has made; a wrong one is noted in the run. A text whose form is wrong because a value is
 * missing counts as absent: the missing value was reported already.
 */
const checkerOf =
  (limit: LimitName, { form, mayBeEmpty = false }: ExactOptions, pointer: string) =>
  (run: Run, text: string, hasGap: boolean): string | undefined => {
    spendOutput(run, 0, text.length);
    if (text === '') return mayBeEmpty ? text : undefined;
    if (isLonger(text, limitOf(limit).max)) noteProblem(run, overLimit(pointer, limit, codePoints(text)));
    else if (form !== undefined && !form.pattern.test(text)) {
      if (hasGap) return undefined;
      const message = `The data makes this ${JSON.stringify(text.slice(0, 80))}, which is not ${form.words}.`;
      noteDataProblem(run, { pointer, rule: 'value.form', message });
    }
    return text;
  };

const parseFixed = (
  value: string,
  limit: LimitName,
  options: ExactOptions,
  context: ParseContext,
): Node | undefined => {
  const { form, mayBeEmpty = false } = options;
  if (isLonger(value, limitOf(limit).max)) {
    context.parsing.problems.add(overLimit(context.pointer, limit, codePoints(value)));
    return undefined;
  }
  if (value === '') return mayBeEmpty ? fixed(value) : made(() => undefined);
  if (form !== undefined && !form.pattern.test(value)) {
    return report(context, 'value.form', `Expected ${form.words}.`);
  }
  return fixed(value, value.length);
};

/** The source of a pattern without flags, which a JSON Schema can hold as it is. */
const patternOf = ({ flags, source }: RegExp) => (flags === '' ? { pattern: source } : {});

/** A text that a machine reads: an id, an address, a value. Never cut: one that is too long is a problem. */
export const exact = (limit: LimitName, options: ExactOptions = {}): Grammar => ({
  parse: (value, context) => {
    if (typeof value !== 'string') return reportType(context, 'a text', value);
    if (!hasPlaceholder(value)) return parseFixed(value, limit, options, context);
    const scanned = scanText(value, context);
    if (scanned === undefined) return undefined;
    const check = checkerOf(limit, options, context.pointer);
    const write = textMakerOf(scanned, 'exact', Number.POSITIVE_INFINITY, context);
    if (write === undefined) return undefined;
    return made((run) => {
      const before = run.missing;
      const text = write(run, Number.POSITIVE_INFINITY);
      return check(run, text, run.missing > before);
    });
  },
  describe: () => ({
    kind: 'exact',
    limit,
    ...(options.form && { form: options.form.words, ...patternOf(options.form.pattern) }),
  }),
});
