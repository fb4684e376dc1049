import { hasPlaceholder, scanText } from '../expressions/placeholders/scan.ts';
import { textMakerOf } from '../expressions/placeholders/text.ts';
import { type LimitName, limitOf } from '../limits.ts';
import { fixedText, made, type Node } from '../parse/node.ts';
import { type ParseContext, reportType } from '../parse/parse-context.ts';
import { type Run, spendOutput, warn } from '../run/run.ts';
import { codePoints, cutText, isLonger } from '../text/cut.ts';
import type { TextKind } from '../text/escape.ts';
import type { Grammar } from './grammar.ts';

interface TextOptions {
  /** A limit over all texts of this kind in a message together. */
  readonly total?: LimitName;
  /** An empty text is a value of its own here. */
  readonly mayBeEmpty?: boolean;
}

const roomLeft = (run: Run, max: number, total: LimitName | undefined): number =>
  total === undefined ? max : Math.min(max, limitOf(total).max - (run.totals?.get(total) ?? 0));

/** Cuts a text at its limit, with a warning, and counts the cut. An empty text is omitted unless it may be empty. */
const finisherOf = (limit: LimitName, kind: TextKind, pointer: string, options: TextOptions) => {
  const { max } = limitOf(limit);
  const { total, mayBeEmpty = false } = options;
  return (run: Run, whole: string): string | undefined => {
    const room = roomLeft(run, max, total);
    let text = whole;
    if (isLonger(text, room)) {
      text = cutText(text, room, kind);
      run.cut += 1;
      const name = room < max && total !== undefined ? total : limit;
      const round = run.frame === undefined ? '' : ` of item ${run.frame.index + 1}`;
      warn(
        run,
        'text.cut',
        pointer,
        `the text${round} is cut at its limit, ${room} characters (\`${name}\`).`,
      );
    }
    if (total !== undefined) {
      run.totals ??= new Map();
      run.totals.set(total, (run.totals.get(total) ?? 0) + codePoints(text));
    }
    run.text += text.length;
    spendOutput(run, 0, text.length);
    return text === '' && !mayBeEmpty ? undefined : text;
  };
};

/** Text that people read: cut where it is longer than its limit. */
export const text = (limit: LimitName, kind: TextKind, options: TextOptions = {}): Grammar => ({
  parse: (value: unknown, context: ParseContext): Node | undefined => {
    if (typeof value !== 'string') {
      const hint = 'Numbers and other values of the data are text inside "{{…}}".';
      return reportType(context, 'a text', value, typeof value === 'object' ? undefined : hint);
    }
    const finish = finisherOf(limit, kind, context.pointer, options);
    const { max } = limitOf(limit);
    if (!hasPlaceholder(value)) {
      const asItIs = options.total === undefined && !isLonger(value, max);
      if (asItIs && (value !== '' || options.mayBeEmpty)) return fixedText(value);
      return made((run) => finish(run, value));
    }
    const scanned = scanText(value, context);
    if (scanned === undefined) return undefined;
    const write = textMakerOf(scanned, kind, max, context);
    return write && made((run) => finish(run, write(run)));
  },
  describe: () => ({
    kind: 'text',
    limit,
    escaped: kind === 'mrkdwn' || kind === 'markdown',
    ...(options.mayBeEmpty && { may_be_empty: true }),
  }),
});
