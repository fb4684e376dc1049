import type { LimitName } from '../limits.ts';
import { limitOf } from '../limits.ts';
import { made } from '../parse/node.ts';
import { overLimit } from '../parse/parse-context.ts';
import { noteProblem, spendOutput, warn } from '../run/run.ts';
import type { Kind } from './typed.ts';

/** A kind of which a whole message holds a few at most. */
export const counted = (limit: LimitName, kind: Kind): Kind => ({
  ...kind,
  around: (value, context, parser) => {
    const node = kind.around === undefined ? parser(value, context) : kind.around(value, context, parser);
    if (node === undefined) return undefined;
    return made((run) => {
      const emitted = node.fixed ? node.value : node.make(run);
      if (emitted === undefined) return undefined;
      if (node.fixed) {
        spendOutput(run, node.objects, node.units);
        run.text += node.text;
      }
      run.totals ??= new Map();
      const count = (run.totals.get(limit) ?? 0) + 1;
      run.totals.set(limit, count);
      const { max, over, source } = limitOf(limit);
      if (count > max && over === 'refused') noteProblem(run, overLimit(context.pointer, limit, count));
      if (count > max && over === 'warned') {
        const story = `this is number ${count} of its kind in the message; the platform may refuse more than ${max} (\`${limit}\`, source: ${source}).`;
        warn(run, 'platform.disputed', context.pointer, story);
      }
      return emitted;
    });
  },
});
