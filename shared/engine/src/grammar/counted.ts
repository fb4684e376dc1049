import type { LimitName } from '../limits.ts';
import { limitOf } from '../limits.ts';
import { made } from '../parse/node.ts';
import { overLimit } from '../parse/parse-context.ts';
import { noteProblem, spendOutput } from '../run/run.ts';
import type { Kind } from './typed.ts';

/** A kind of which a whole message holds a few at most. */
export const counted = (limit: LimitName, kind: Kind): Kind => ({
  ...kind,
  around: (value, place, parser) => {
    const part = kind.around === undefined ? parser(value, place) : kind.around(value, place, parser);
    if (part === undefined) return undefined;
    return made((run) => {
      const emitted = part.fixed ? part.value : part.make(run);
      if (emitted === undefined) return undefined;
      if (part.fixed) {
        spendOutput(run, part.nodes, part.units);
        run.text += part.text;
      }
      run.totals ??= new Map();
      const count = (run.totals.get(limit) ?? 0) + 1;
      run.totals.set(limit, count);
      if (count > limitOf(limit).max) noteProblem(run, overLimit(place.pointer, limit, count));
      return emitted;
    });
  },
});
