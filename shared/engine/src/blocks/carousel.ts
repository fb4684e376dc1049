import type { Grammar } from '../grammar/grammar.ts';
import { parseNative } from '../grammar/native-form.ts';
import { boundListForm, boundListKeys, parseBoundList } from '../grammar/source.ts';
import type { Kind } from '../grammar/typed.ts';
import { only, without } from '../json.ts';

/** A carousel whose cards may be made from a `source`, one `item` for each. */
export const boundCarousel = (card: Grammar, kind: Kind): Kind => ({
  ...kind,
  shape: { ...kind.shape, boundKeys: boundListKeys },
  boundForm: boundListForm(card),
  around: (value, context, parser) => {
    if (!Object.hasOwn(value, 'source')) return parser(value, context);
    const elements = parseBoundList(only(value, boundListKeys), context, 'carousel.elements', card);
    const native = without(value, boundListKeys);
    return parseNative(
      native,
      { type: 'carousel', shape: kind.shape, nodes: { elements } },
      'carousel block',
      context,
    );
  },
});
