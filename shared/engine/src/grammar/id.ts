import { hasPlaceholder } from '../expressions/placeholders/scan.ts';
import { type LimitName, limitOf } from '../limits.ts';
import { made, type Part } from '../parse/node.ts';
import { overLimit, type Place } from '../parse/parse-context.ts';
import type { Frame, Run } from '../run/run.ts';
import { noteProblem, spendOutput } from '../run/run.ts';
import { codePoints, isLonger } from '../text/cut.ts';
import { exact } from './exact.ts';
import type { Spec } from './spec.ts';

/** The numbers of the rounds of all loops around, outermost first: `_2_0`. */
const suffixOf = (frame: Frame | undefined): string =>
  frame === undefined ? '' : `${suffixOf(frame.parent)}_${frame.index}`;

const looped = (id: string, limit: LimitName, place: Place): Part =>
  made((run: Run) => {
    const whole = id + suffixOf(run.frame);
    spendOutput(run, 0, whole.length);
    if (isLonger(whole, limitOf(limit).max)) {
      noteProblem(run, overLimit(place.pointer, limit, codePoints(whole)));
    }
    return whole;
  });

/**
 * The id of a block or of an element. One that a loop repeats gets the round's number as a suffix; one that data makes
 * stays as it is where it is unique (see `unique-ids.ts`).
 */
export const id = (limit: 'block.block_id' | 'element.action_id'): Spec => {
  const text = exact(limit);
  const list = limit === 'block.block_id' ? 'block' : 'action';
  return {
    parse: (value, place) => {
      // An id that is null counts as left out, as an empty one does.
      if (value === null) return made(() => undefined);
      const part = text.parse(value, place);
      if (part === undefined || typeof value !== 'string') return undefined;
      const { ids } = place.parsing;
      if (hasPlaceholder(value)) {
        ids.made = true;
        return part;
      }
      if (place.scope === undefined) {
        ids[list].push(value);
        return part;
      }
      ids.looped.push(value);
      return value === '' ? part : looped(value, limit, place);
    },
    describe: () => ({ kind: 'id', limit }),
  };
};
