import { hasPlaceholder, scanText } from '../expressions/placeholders/scan.ts';
import { type TextMaker, textMakerOf } from '../expressions/placeholders/text.ts';
import { type LimitName, limitOf } from '../limits.ts';
import type { Grammar } from '../parse/grammar.ts';
import { listed } from '../parse/nearest.ts';
import { fixedText, made, type Node } from '../parse/node.ts';
import { type ParseContext, reportType } from '../parse/parse-context.ts';
import { type Run, spendOutput, warn } from '../run/run.ts';
import { isLonger } from '../text/cut.ts';
import { cutMarks } from '../text/cut-marks.ts';
import type { TextKind } from '../text/escape.ts';
import type { Composed, Group } from '../text/together.ts';
import { parseSpoken } from '../translations/spoken.ts';

interface TextOptions {
  /** Texts of a message, a table or a chart that are fitted together: the run keeps them until all are known. */
  readonly together?: Group;
  /** An empty text is a value of its own here. */
  readonly mayBeEmpty?: boolean;
}

/** Notes that a text is cut at a limit; `paths` lead to the values that are shortened. */
export const noteCut = (
  run: Run,
  limit: LimitName,
  room: number,
  pointer: string,
  paths: readonly string[] = [],
): void => {
  run.fieldsTruncated += 1;
  const round = run.frame === undefined ? '' : ` of item ${run.frame.index + 1}`;
  const values = listed(paths);
  const shortened = values === '' ? '' : `: ${values} ${paths.length === 1 ? 'is' : 'are'} shortened`;
  warn(
    run,
    'text.cut',
    pointer,
    `the text${round} is cut at its limit, ${room} characters (\`${limit}\`)${shortened}.`,
  );
};

/**
 * Cuts what the template itself has beyond the limit, and counts the text. An empty one is omitted unless it may be empty.
 */
const finisherOf = (limit: LimitName, kind: TextKind, pointer: string, mayBeEmpty: boolean) => {
  const { max } = limitOf(limit);
  return (run: Run, whole: string): string | undefined => {
    let text = whole;
    if (isLonger(text, max)) {
      text = cutMarks(text, max, kind);
      noteCut(run, limit, max, pointer);
    }
    run.text += text.length;
    spendOutput(run, 0, text.length);
    return text === '' && !mayBeEmpty ? undefined : text;
  };
};

/** Keeps a text until the others of its group are known. */
const keep = (run: Run, group: Group, composed: Composed): void => {
  run.together ??= {};
  run.together[group] ??= [];
  run.together[group].push(composed);
};

/** Text that people read: where it is longer than its limit, its values are shortened. */
export const text = (limit: LimitName, kind: TextKind, options: TextOptions = {}): Grammar => {
  const { together, mayBeEmpty = false } = options;
  const { max } = limitOf(limit);

  const parseFixed = (value: string, { pointer }: ParseContext): Node => {
    const finish = finisherOf(limit, kind, pointer, mayBeEmpty);
    if (together !== 'markdown' && !isLonger(value, max) && (value !== '' || mayBeEmpty))
      return fixedText(value);
    return made((run) => {
      const said = finish(run, value);
      if (said !== undefined && together === 'markdown') {
        keep(run, together, { text: said, kind, pointer, refit: undefined });
      }
      return said;
    });
  };

  const parseMade = (write: TextMaker, { pointer }: ParseContext): Node => {
    const finish = finisherOf(limit, kind, pointer, mayBeEmpty);
    if (together === undefined) return made((run) => finish(run, write(run, max)));
    return made((run) => {
      let refit: Composed['refit'];
      const said = finish(
        run,
        write(run, max, (again) => {
          refit = again;
        }),
      );
      if (said !== undefined) keep(run, together, { text: said, kind, pointer, refit });
      return said;
    });
  };

  const parseString = (value: string, context: ParseContext): Node | undefined => {
    if (!hasPlaceholder(value)) return parseFixed(value, context);
    const scanned = scanText(value, context);
    if (scanned === undefined) return undefined;
    const write = textMakerOf(scanned, kind, max, context, (run, room, paths) =>
      noteCut(run, limit, room, context.pointer, paths),
    );
    return write && parseMade(write, context);
  };

  return {
    parse: (value: unknown, context: ParseContext): Node | undefined => {
      if (typeof value !== 'string') {
        const hint = 'Numbers and other values of the data are text inside "{{…}}".';
        return reportType(context, 'a text', value, typeof value === 'object' ? undefined : hint);
      }
      return parseSpoken(value, context, parseString);
    },
    describe: () => ({
      kind: 'text',
      limit,
      escaped: kind === 'mrkdwn' || kind === 'markdown',
      ...(mayBeEmpty && { may_be_empty: true }),
    }),
  };
};
