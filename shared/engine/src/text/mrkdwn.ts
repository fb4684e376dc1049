import { markPartOfEach } from './marks.ts';
import {
  inBlock,
  inLabel,
  inSpan,
  isSpace,
  isWord,
  positionInMark,
  type TextSurroundings,
  textIn,
  unclosed,
} from './mrkdwn-values.ts';
import { type Position, textPosition } from './positions.ts';
import { type Brought, type Region, type Scan, type Span, STAND_IN, valuesBetween } from './scan.ts';
import { stylesOfMrkdwn } from './style-pairs.ts';

/** Code of the template: the borders of its content. */
interface Code {
  readonly name: 'mrkdwn.code_span' | 'mrkdwn.code_block';
  readonly from: number;
  readonly to: number;
}

/** A block of code between three backticks, or code in a line. What is not closed is text. */
const codeIn = (whole: string): Code[] =>
  [...whole.matchAll(/```(.*?)```|`([^`\n]+)`/gs)].map(({ index, 0: found, 1: block }) => {
    const length = block === undefined ? 1 : 3;
    const name = block === undefined ? 'mrkdwn.code_span' : 'mrkdwn.code_block';
    return { name, from: index + length, to: index + found.length - length };
  });

/** A mark of the platform: what stands between `<` and `>`. */
const mark = /<([^<>|]*)(\|[^<>]*)?>/g;

/** A label of values alone. The platform has no link with an empty one, and a moment must have its own. */
const bareLabel = new RegExp(`^\\|${STAND_IN}+$`);

/** The marks that give way: those whose address, id or argument holds a value, and the `|` before values alone. */
const linksIn = (whole: string, holes: readonly number[]): Required<Pick<Scan, 'spans' | 'bars'>> => {
  const bars = new Map<number, Region>();
  const spans = [...whole.matchAll(mark)].flatMap(
    ({ index, 0: found, 1: address = '', 2: label }): Span[] => {
      const [behind, end] = [index + 1 + address.length, index + found.length];
      const isFixed = valuesBetween(holes, index, behind).length === 0;
      const link: Region = { kind: 'link', hasLabel: label !== undefined && label.length > 1 };
      if (label === undefined) return isFixed ? [] : [{ from: index, to: end, region: link }];
      const isBare = bareLabel.test(label) && !address.startsWith('!');
      const region: Region = isBare ? { kind: 'style', hasLabel: true, ...(!isFixed && { link }) } : link;
      if (isBare) for (const value of valuesBetween(holes, behind, end)) bars.set(value, region);
      if (isFixed) return isBare ? [{ from: behind, to: behind + 1, region }] : [];
      return [
        { from: index, to: behind, region: link },
        { from: behind, to: behind + 1, region },
        { from: end - 1, to: end, region: link },
      ];
    },
  );
  return { spans, bars };
};

const noCode: ReadonlyMap<number, Code['name']> = new Map();
/** The styles around a value that stands in none. */
const none: readonly string[] = [];

/** The code around values, by their numbers. */
const codeAround = (whole: string, holes: readonly number[]): ReadonlyMap<number, Code['name']> =>
  whole.includes('`')
    ? new Map(
        codeIn(whole).flatMap(({ name, from, to }) =>
          valuesBetween(holes, from, to).map((index) => [index, name] as const),
        ),
      )
    : noCode;

const quote = /^> ?/;

/** The start of the line that a value stands in, where the line is a quote. */
const quoteAt = (whole: string, hole: number): string =>
  quote.exec(whole.slice(whole.lastIndexOf('\n', hole - 1) + 1, hole))?.[0] ?? '';

/** The values of a text: where they stand, and the marks that the filters of each may bring. */
interface Holes {
  readonly holes: readonly number[];
  readonly brought: readonly Brought[];
}

/** Finds whether a mark stands behind a value. A text of many values is looked through once for each mark. */
const behindOf = (whole: string, { holes, brought }: Holes): ((mark: string, hole: number) => boolean) => {
  const last = new Map<string, number>();
  const lastOf = (mark: string): number => {
    const last = brought.findLastIndex(({ marks }) => marks.includes(mark));
    const isBetween = brought[last]?.isBetween ?? false;
    return Math.max(whole.lastIndexOf(mark), (holes[last] ?? -1) + (isBetween ? 1 : 0));
  };
  return (mark, hole) => {
    const at = last.get(mark) ?? lastOf(mark);
    last.set(mark, at);
    return at > hole;
  };
};

const isStyle = (character: string): boolean => character === '*' || character === '_' || character === '~';

const noValues: ReadonlySet<number> = new Set();

/** The values that stand in closed marks of the platform, by their numbers. */
const closedIn = (whole: string, holes: readonly number[]): ReadonlySet<number> =>
  new Set(
    [...whole.matchAll(mark)].flatMap(({ index, 0: found }) =>
      valuesBetween(holes, index, index + found.length),
    ),
  );

const nowhere = (): boolean => false;

const beforeNext = (next: string): Position =>
  textIn({ isBehind: nowhere, next, prefix: '', styles: none, isTightBefore: false, isTightAfter: false });

/** The positions of values in texts without any mark, by what stands behind the value: all that matters there. */
const amongWords = {
  word: beforeNext('a'),
  space: beforeNext(' '),
  slash: beforeNext('/'),
  other: beforeNext('.'),
};

const anyMark = /[*_~`<>]/;

/** Whether a text has no mark, as most have none. */
export const isWords = (whole: string, brought: readonly Brought[]): boolean =>
  !anyMark.test(whole) && brought.every(({ marks }) => marks === '');

/** The positions of the values of a text without any mark. */
export const positionsInWords = ([, ...afters]: readonly string[]): Position[] =>
  afters.map((after) => {
    const next = after.charAt(0);
    if (next === ' ') return amongWords.space;
    if (next === '/') return amongWords.slash;
    if (isWord(next)) return amongWords.word;
    return isSpace(next) ? amongWords.space : amongWords.other;
  });

/** Finds the position of every value of a text in mrkdwn. */
export const planMrkdwn = (pieces: readonly string[], whole: string, values: Holes): Scan => {
  const { holes } = values;
  const hasLinks = whole.includes('<');
  const hasQuotes = whole.includes('>');
  const parts = hasLinks ? markPartOfEach(pieces) : [];
  const code = codeAround(whole, holes);
  const closed = hasLinks ? closedIn(whole, holes) : noValues;
  const isBehind = behindOf(whole, values);
  const styles = stylesOfMrkdwn(whole, holes);
  const positions = holes.map((hole, index): Position => {
    const part = parts[index];
    const next = (pieces[index + 1] ?? '').charAt(0);
    const around: TextSurroundings = {
      isBehind: (mark) => isBehind(mark, hole),
      next,
      prefix: hasQuotes ? quoteAt(whole, hole) : '',
      styles: styles.get(index) ?? none,
      isTightBefore: isStyle(whole.charAt(hole - 1)),
      isTightAfter: isStyle(next),
    };
    if (part === 'label') return inLabel(around);
    const isAddress = part === 'head' || part === 'address';
    if (isAddress && !closed.has(index)) return unclosed;
    if (part !== undefined) return positionInMark[part];
    const name = code.get(index);
    if (name !== undefined) return textPosition(name, name === 'mrkdwn.code_span' ? inSpan : inBlock);
    return textIn(around);
  });
  return { positions, code: [], ...(hasLinks ? linksIn(whole, holes) : { spans: [] }) };
};
