import { type ParseContext, report } from '../../parse/parse-context.ts';
import type { Reference } from '../../run/frame.ts';
import { withoutUnknown } from '../../run/people.ts';
import { noteMissing, type Run, spendEvaluations } from '../../run/run.ts';
import { MixedText } from '../../text/mixed-text.ts';
import { exactPosition } from '../../text/positions.ts';
import { SafeText } from '../../text/safe-text.ts';
import { evaluatorOf, noteRead } from './evaluate.ts';
import { hasPlaceholder, scanText } from './scan.ts';

/** A whole-string placeholder of a property that is not text: its value keeps its JSON type. */
export interface WholeValue {
  readonly reference: Reference;
  /** The value, or undefined where it is missing, which is then noted. */
  readonly read: (run: Run) => unknown;
  /** Like `read`, but a person who is not known is left to the place, which reports it. */
  readonly readPerson: (run: Run) => unknown;
}

const isGone = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'number' && !Number.isFinite(value));

/**
 * Compiles a string that is one placeholder and nothing else.
 *
 * @param isNumber its value is to be a number
 * @returns undefined when it is not, which is then reported
 */
export const wholeValueOf = (
  text: string,
  context: ParseContext,
  isNumber = false,
): WholeValue | undefined => {
  const scanned = scanText(text, context);
  if (scanned === undefined) return undefined;
  const [hole, ...others] = scanned.holes;
  const alone = hole !== undefined && others.length === 0 && scanned.head === '' && hole.after === '';
  if (!alone) {
    return report(
      context,
      'placeholder.place',
      'A value that is no text is one placeholder and nothing else.',
      {
        hint: 'Write "{{path}}" alone, without text around.',
      },
    );
  }
  const { placeholder } = hole;
  noteRead(context, placeholder.path, 'value', placeholder);
  const evaluate = evaluatorOf(placeholder, 'exact', exactPosition, context.pointer, isNumber);
  const { reference } = placeholder.path;
  const readPerson = (run: Run): unknown => {
    spendEvaluations(run, 1);
    const value = evaluate(run);
    if (isGone(value)) {
      noteMissing(run, reference, context.pointer);
      return undefined;
    }
    return value instanceof SafeText || value instanceof MixedText ? value.text : value;
  };
  return { reference, readPerson, read: (run) => withoutUnknown(run, readPerson(run)) };
};

/** Whether a property that is not text is given by a placeholder. */
export const isPlaceholderText = (value: unknown): value is string =>
  typeof value === 'string' && hasPlaceholder(value);
