import { exact, secureAddress, webAddress } from '../grammar/exact.ts';
import { id } from '../grammar/id.ts';
import { list } from '../grammar/list.ts';
import { object, optional, required, type Shape } from '../grammar/object.ts';
import { atLeastOneOf, notBoth } from '../grammar/rules.ts';
import { choice, word } from '../grammar/scalar.ts';
import { text } from '../grammar/text.ts';
import { typed } from '../grammar/typed.ts';
import { anyText, plainText } from './composition.ts';
import { buttonOfCard, imageElement } from './elements/elements.ts';
import { richText } from './rich-text.ts';

const platformIcon = typed(() => ({ icon: { shape: { fields: { name: required(word) } } } }), {
  what: 'icon',
});

/** A card: a picture, a few words, up to three buttons. */
export const cardShape: Shape = {
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

const fetched = exact('video.url', webAddress);
const secure = exact('video.url', secureAddress);

/** A video that plays in its message. */
export const videoShape: Shape = {
  fields: {
    alt_text: required(text('video.alt_text', 'plain')),
    title: required(plainText('video.title')),
    video_url: required(secure),
    thumbnail_url: required(fetched),
    title_url: optional(secure),
    author_name: optional(text('video.author_name', 'plain')),
    provider_name: optional(text('video.provider_name', 'plain')),
    provider_icon_url: optional(fetched),
    description: optional(plainText('video.description')),
  },
};

const sources = list('task_card.sources', {
  item: typed(
    () => ({
      url: {
        shape: {
          fields: { url: required(exact('task_card.url')), text: required(text('task_card.title', 'plain')) },
        },
      },
    }),
    { what: 'source' },
  ),
});

/** One task and how far it is. */
export const taskShape: Shape = {
  fields: {
    task_id: required(exact('task_card.task_id')),
    title: required(text('task_card.title', 'plain')),
    status: optional(choice('pending', 'in_progress', 'complete', 'error')),
    details: optional(richText),
    output: optional(richText),
    sources: optional(sources),
  },
};

const blockId = optional(id('block.block_id'));

/** Tasks under a title; a plan holds nothing else, so their type may be left out. */
export const planShape: Shape = {
  fields: {
    title: required(text('plan.title', 'plain')),
    tasks: optional(
      list('plan.tasks', {
        item: object('task', {
          fields: { type: optional(choice('task_card')), block_id: blockId, ...taskShape.fields },
        }),
      }),
    ),
  },
};
