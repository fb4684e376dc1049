import { withIds } from '../grammar/block-id.ts';
import { list } from '../grammar/list.ts';
import { parseNative } from '../grammar/native-form.ts';
import { required } from '../grammar/object.ts';
import { boundListForm, boundListKeys, parseBoundList } from '../grammar/source.ts';
import { type Kind, typed } from '../grammar/typed.ts';
import { isObject, only, without } from '../json.ts';
import type { Grammar } from '../parse/grammar.ts';
import { asBlock, type BlockKind, byType, ofMessages } from './block-kind.ts';
import { card } from './card.ts';
import { joinSaid, listIn } from './summary.ts';

/** A carousel whose cards may be made from a `source`, one `item` for each. */
const boundCarousel = (card: Grammar, kind: Kind): Kind => ({
  ...kind,
  shape: { ...kind.shape, boundKeys: boundListKeys },
  boundForm: boundListForm(card),
  around: (value, context, parser) => {
    if (!Object.hasOwn(value, 'source')) return parser(value, context);
    const elements = parseBoundList(only(value, boundListKeys), context, 'carousel.elements', card);
    const native = without(value, boundListKeys);
    return parseNative(
      native,
      { type: 'carousel', shape: kind.shape, patternKeys: boundListKeys, nodes: { elements } },
      'carousel block',
      context,
    );
  },
});

const cards = withIds(byType([card]));
const cardOfCarousel = typed(() => cards, asBlock);

/** Cards next to each other. */
export const carousel: BlockKind = {
  type: 'carousel',
  ...boundCarousel(cardOfCarousel, {
    surfaces: ofMessages,
    shape: { fields: { elements: required(list('carousel.elements', { item: cardOfCarousel })) } },
  }),
  summary: (block) =>
    joinSaid(
      listIn(block, 'elements').map((it) => (isObject(it) ? card.summary(it) : '')),
      '\n',
    ),
  quiet: (block) =>
    joinSaid(
      listIn(block, 'elements').map((it) => (isObject(it) ? (card.quiet?.(it) ?? '') : '')),
      '\n',
    ),
};
