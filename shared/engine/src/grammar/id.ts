import { hasPlaceholder } from '../expressions/placeholders/scan.ts';
import { type LimitName, limitOf } from '../limits.ts';
import type { Grammar } from '../parse/grammar.ts';
import { made, type Node } from '../parse/node.ts';
import { isInLoop, overLimit, type ParseContext } from '../parse/parse-context.ts';
import type { Frame } from '../run/frame.ts';
import { noteProblem, type Run, spendOutput } from '../run/run.ts';
import { codePoints, isLonger } from '../text/cut.ts';
import { exact } from './exact.ts';

/** The numbers of the rounds of all loops around, outermost first: `_2_0`. */
const suffixOf = (frame: Frame | undefined): string =>
  frame === undefined ? '' : `${suffixOf(frame.parent)}_${frame.index}`;

const looped = (id: string, limit: LimitName, context: ParseContext): Node =>
  made((run: Run) => {
    const whole = id + suffixOf(run.frame);
    spendOutput(run, 0, whole.length);
    if (isLonger(whole, limitOf(limit).max)) {
      noteProblem(run, overLimit(context.pointer, limit, codePoints(whole)));
    }
    return whole;
  });

/** An id that a loop repeats with the round's number as a suffix. */
export const repeatedId = (limit: LimitName): Grammar => {
  const text = exact(limit);
  return {
    ...text,
    parse: (value, context) => {
      const node = text.parse(value, context);
      const isAsGiven = typeof value !== 'string' || value === '' || hasPlaceholder(value);
      return node === undefined || isAsGiven || !isInLoop(context) ? node : looped(value, limit, context);
    },
  };
};

/**
 * The id of a block or of an element. One that a loop repeats gets a suffix; one that data makes stays as it is where it
 * is unique (see `unique-ids.ts`).
 */
export const id = (limit: 'block.block_id' | 'element.action_id'): Grammar => {
  const repeated = repeatedId(limit);
  const list = limit === 'block.block_id' ? 'block' : 'action';
  return {
    parse: (value, context) => {
      // An id that is null counts as left out, as an empty one does.
      if (value === null) return made(() => undefined);
      const node = repeated.parse(value, context);
      if (node === undefined || typeof value !== 'string') return undefined;
      const { ids } = context.parsing;
      if (hasPlaceholder(value)) ids.made = true;
      else ids[isInLoop(context) ? 'looped' : list].push(value);
      return node;
    },
    describe: () => ({ kind: 'id', limit }),
  };
};
