import type { Spec } from '../../grammar/spec.ts';
import type { Kind } from '../../grammar/typed.ts';
import { only, without } from '../../json.ts';
import { parseNative } from './prepared.ts';
import { boundListForm, boundListKeys, parseBoundList } from './source.ts';

/** A carousel whose cards may be made from a `source`, one `item` for each. */
export const boundCarousel = (card: Spec, kind: Kind): Kind => ({
  ...kind,
  shape: { ...kind.shape, boundKeys: boundListKeys },
  boundForm: boundListForm(card),
  around: (value, place, parser) => {
    if (!Object.hasOwn(value, 'source')) return parser(value, place);
    const elements = parseBoundList(only(value, boundListKeys), place, 'carousel.elements', card);
    const native = without(value, boundListKeys);
    return parseNative(
      native,
      { type: 'carousel', shape: kind.shape, parts: { elements } },
      'carousel block',
      place,
    );
  },
});
