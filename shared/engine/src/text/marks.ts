/**
 * The part of a `<…>` of the template that a value stands in: at its `head` it could choose what the mark means; in an
 * `address`, an `id` or an `argument` it could end that part; in a `label` it is text like any other. A `broadcast` is
 * chosen by no data.
 */
export type MarkPart = 'head' | 'address' | 'id' | 'argument' | 'label' | 'broadcast';

/** A `<` of the template that is not closed yet. */
interface OpenMark {
  /** The first character inside, empty while there are none but values, `{` for a value that text came after. */
  readonly first: string;
  readonly hasBar: boolean;
  readonly hasCaret: boolean;
}

const fresh: OpenMark = { first: '', hasBar: false, hasCaret: false };

/** Follows the text of the template between values: whether it leaves a mark open. */
const follow = (before: OpenMark | undefined, text: string): OpenMark | undefined => {
  const last = text.lastIndexOf('<');
  const mark = last === -1 ? before : fresh;
  const inside = text.slice(last + 1);
  if (mark === undefined || inside.includes('>')) return undefined;
  return {
    first: mark.first === '' ? inside.slice(0, 1) : mark.first,
    hasBar: mark.hasBar || inside.includes('|'),
    hasCaret: mark.hasCaret || inside.includes('^'),
  };
};

const partIn = ({ first, hasBar, hasCaret }: OpenMark): MarkPart | undefined => {
  if (hasBar) return 'label';
  if (first === '') return 'head';
  if (first === '@' || first === '#') return 'id';
  if (first === '!') return hasCaret ? 'argument' : 'broadcast';
  return /[\p{L}/{]/u.test(first) ? 'address' : undefined;
};

/**
 * The part of a mark that each value of a text stands in.
 *
 * @param pieces the text before, between and after the values
 */
export const markPartOfEach = ([head = '', ...afters]: readonly string[]): (MarkPart | undefined)[] => {
  let mark = follow(undefined, head);
  return afters.map((after) => {
    const part = mark && partIn(mark);
    // A value at the head that text follows is the start of an address.
    const behind = mark !== undefined && mark.first === '' && after !== '' ? { ...mark, first: '{' } : mark;
    mark = follow(behind, after);
    return part;
  });
};
