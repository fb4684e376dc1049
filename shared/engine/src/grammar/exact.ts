import { hasPlaceholder, type Scanned, scanText } from '../expressions/placeholders/scan.ts';
import { textMakerOf } from '../expressions/placeholders/text.ts';
import { type LimitName, limitOf } from '../limits.ts';
import type { Grammar } from '../parse/grammar.ts';
import { fixed, made, type Node } from '../parse/node.ts';
import { overLimit, type ParseContext, report, reportType } from '../parse/parse-context.ts';
import { describeReference } from '../run/frame.ts';
import type { Problem } from '../run/problem.ts';
import { noteDataProblem, noteProblem, type Run, spendOutput } from '../run/run.ts';
import { codePoints, isLonger } from '../text/cut.ts';
import { parseSpoken } from '../translations/spoken.ts';
import type { TextForm } from './forms.ts';

interface ExactOptions {
  /** An empty text is a value of its own here. */
  readonly mayBeEmpty?: boolean;
  readonly form?: TextForm;
}

/** The way out of a text that has another form. */
const hintOf = ({ hint }: TextForm): { hint?: string } => (hint === undefined ? {} : { hint });

/** A text over its limit. Where it has another form than is wanted, that is said too: it may be why it is so long. */
const tooLong = (pointer: string, limit: LimitName, text: string, form: TextForm | undefined): Problem => {
  const problem = overLimit(pointer, limit, codePoints(text));
  if (form?.faultOf(text) === undefined) return problem;
  return { ...problem, message: `${problem.message} What is needed here is ${form.words}.`, ...hintOf(form) };
};

/** The paths of the data that a text is made of, in a loop with the numbers of its items. */
const pathsOf = ({ holes }: Scanned, { frame }: Run): string => {
  const paths = holes.map(({ placeholder }) => describeReference(placeholder.path.reference, frame));
  return [...new Set(paths.map((path) => `\`${path.slice(0, 80)}\``))].join(', ');
};

/**
 * Checks a text that data has made; a wrong one is noted in the run. A text whose form is wrong because a value is
 * missing counts as absent: the missing value was reported already. What is noted never quotes the data.
 */
const checkerOf = (
  scanned: Scanned,
  limit: LimitName,
  { form, mayBeEmpty = false }: ExactOptions,
  pointer: string,
) => {
  const prepare = form?.prepare;
  const isSound = form?.soundnessOf?.(scanned.head);
  const { max } = limitOf(limit);
  const [hole, ...others] = scanned.holes;
  const alone = others.length === 0 ? hole?.placeholder.path.reference : undefined;
  return (run: Run, written: string, hasGap: boolean): string | undefined => {
    if (isSound !== undefined && written.length <= max && written !== '' && isSound(written)) {
      spendOutput(run, 0, written.length);
      return written;
    }
    const text = prepare === undefined ? written : prepare(written);
    spendOutput(run, 0, text.length);
    if (text === '') return mayBeEmpty ? text : undefined;
    if (isLonger(text, max)) {
      const problem = tooLong(pointer, limit, text, form);
      noteProblem(run, { ...problem, message: `${problem.message} It is made of ${pathsOf(scanned, run)}.` });
      return text;
    }
    const fault = form?.faultOf(text);
    if (form === undefined || fault === undefined) return text;
    if (hasGap) return undefined;
    const message = `With this data the text ${fault}, but ${form.words} is needed here; see ${pathsOf(scanned, run)}.`;
    const path = alone && describeReference(alone, run.frame);
    noteDataProblem(run, { pointer, rule: 'value.form', message, ...hintOf(form) }, path);
    return text;
  };
};

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);

const reportForm = (value: string, form: TextForm, fault: string, context: ParseContext): undefined =>
  report(context, 'value.form', `Expected ${form.words}, but ${quote(value)} ${fault}.`, hintOf(form));

const parseFixed = (
  value: string,
  limit: LimitName,
  options: ExactOptions,
  context: ParseContext,
): Node | undefined => {
  const { form, mayBeEmpty = false } = options;
  if (isLonger(value, limitOf(limit).max)) {
    context.parsing.problems.add(tooLong(context.pointer, limit, value, form));
    return undefined;
  }
  if (value === '') return mayBeEmpty ? fixed(value) : made(() => undefined);
  const fault = form?.faultOf(value);
  if (form !== undefined && fault !== undefined) return reportForm(value, form, fault, context);
  return fixed(value, value.length);
};

/** An address or an id, without texts in languages in it. */
const parseString = (
  value: string,
  limit: LimitName,
  options: ExactOptions,
  context: ParseContext,
): Node | undefined => {
  if (!hasPlaceholder(value)) return parseFixed(value, limit, options, context);
  const scanned = scanText(value, context);
  if (scanned === undefined) return undefined;
  const { form } = options;
  const fault = form?.faultOfTemplate?.(scanned.head, [
    scanned.head,
    ...scanned.holes.map(({ after }) => after),
  ]);
  if (form !== undefined && fault !== undefined) return reportForm(value, form, fault, context);
  const check = checkerOf(scanned, limit, options, context.pointer);
  const write = textMakerOf(scanned, 'exact', Number.POSITIVE_INFINITY, context);
  if (write === undefined) return undefined;
  return made((run) => {
    const before = run.missing;
    const text = write(run, Number.POSITIVE_INFINITY);
    return check(run, text, run.missing > before);
  });
};

/** A text that a machine reads: an id, an address, a value. Never cut: one that is too long is a problem. */
export const exact = (limit: LimitName, options: ExactOptions = {}): Grammar => ({
  parse: (value, context) => {
    if (typeof value !== 'string') return reportType(context, 'a text', value);
    return parseSpoken(value, context, (text, at) => parseString(text, limit, options, at));
  },
  describe: () => ({
    kind: 'exact',
    limit,
    ...(options.mayBeEmpty && { may_be_empty: true }),
    ...(options.form && { form: options.form.words, pattern: options.form.pattern }),
  }),
});
