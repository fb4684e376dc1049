import { list } from '../grammar/list.ts';
import { optional, required, type Shape } from '../grammar/object.ts';
import { atLeastOneOf, notBoth } from '../grammar/rules.ts';
import { choice } from '../grammar/scalar.ts';
import { typed } from '../grammar/typed.ts';
import { type BlockKind, ofMessages } from './block-kind.ts';
import { anyText } from './composition.ts';
import { buttonOfCard, imageElement } from './elements/elements.ts';
import { cardIcons } from './platform-lists.ts';
import { clean, joinSaid, stringIn, summarizeElements, textOf } from './summary.ts';

const platformIcon = typed(
  () => ({ icon: { shape: { fields: { name: required(choice(...cardIcons)) } } } }),
  {
    what: 'icon',
  },
);

const cardShape: Shape = {
  fields: {
    hero_image: optional(imageElement),
    icon: optional(imageElement),
    slack_icon: optional(platformIcon),
    title: optional(anyText('card.title')),
    subtitle: optional(anyText('card.subtitle')),
    body: optional(anyText('card.body')),
    subtext: optional(anyText('card.subtext')),
    actions: optional(list('card.actions', { item: buttonOfCard })),
  },
  rules: [atLeastOneOf('hero_image', 'title', 'body', 'actions'), notBoth('icon', 'slack_icon')],
};

/** A card: a picture, a few words, up to three buttons. */
export const card: BlockKind = {
  type: 'card',
  surfaces: ofMessages,
  shape: cardShape,
  summary: (block) => {
    const { title, subtitle, body, hero_image: image } = block;
    return joinSaid([title, subtitle, body].map(textOf), '\n') || clean(stringIn(image, 'alt_text'));
  },
  quiet: summarizeElements('actions'),
};
