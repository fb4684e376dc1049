import { exact } from '../grammar/exact.ts';
import { secureAddress, webAddress } from '../grammar/forms.ts';
import { optional, required, type Shape } from '../grammar/object.ts';
import { text } from '../grammar/text.ts';
import type { BlockKind } from './block-kind.ts';
import { plainText } from './composition.ts';
import { textOf } from './summary.ts';

const fetched = exact('video.url', { form: webAddress });
const secure = exact('video.url', { form: secureAddress });

const videoShape: Shape = {
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

/** A video that plays in its message. */
export const video: BlockKind = {
  type: 'video',
  shape: videoShape,
  summary: (block) => textOf(block.title),
};
