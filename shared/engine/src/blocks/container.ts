import { withIds } from '../grammar/block-id.ts';
import { list } from '../grammar/list.ts';
import { type Field, optional, required, type Shape } from '../grammar/object.ts';
import { atLeastOneOf, needsFlag } from '../grammar/rules.ts';
import { choice, flag } from '../grammar/scalar.ts';
import { typed } from '../grammar/typed.ts';
import { isObject } from '../json.ts';
import { actions } from './actions.ts';
import { asBlock, type BlockKind, byType, ofMessages } from './block-kind.ts';
import { anyText, plainText } from './composition.ts';
import { blockNote, context } from './context.ts';
import { divider } from './divider.ts';
import { imageElement } from './elements/elements.ts';
import { header } from './header.ts';
import { image } from './image.ts';
import { input } from './input.ts';
import { richText, richTextBlock, summarizeRichText } from './rich-text.ts';
import { section } from './section.ts';
import { joinSaid, listIn, textOf } from './summary.ts';
import { table } from './table/table.ts';
import { video } from './video.ts';

/** Children as documented; the live platform is reported to refuse some of them. */
const children = [header, section, divider, image, context, richTextBlock, actions, input, table, video];
const insideContainers = withIds(byType(children));

const title: Record<string, Field> = {
  title: optional(plainText('container.title')),
  rich_text_title: optional(richText),
};

const containerShape: Shape = {
  fields: {
    ...title,
    subtitle: optional(anyText('container.subtitle')),
    child_blocks: required(
      list('container.child_blocks', { item: typed(() => insideContainers, asBlock), note: blockNote }),
    ),
    width: optional(choice('narrow', 'standard', 'wide', 'full')),
    icon: optional(imageElement),
    is_collapsible: optional(flag),
    default_collapsed: optional(flag),
    has_header_divider: optional(flag),
  },
  rules: [
    atLeastOneOf('title', 'rich_text_title'),
    needsFlag('default_collapsed', 'is_collapsible'),
    needsFlag('has_header_divider', 'is_collapsible', false),
  ],
};

const summaryOfChild = (child: unknown): string =>
  isObject(child) ? (children.find(({ type }) => type === child.type)?.summary(child) ?? '') : '';

/** Blocks in a frame with a title, which readers may fold. */
export const container: BlockKind = {
  type: 'container',
  surfaces: ofMessages,
  shape: containerShape,
  summary: (block) => {
    const { title: plain, rich_text_title: rich, subtitle } = block;
    const head = textOf(plain) || (isObject(rich) ? summarizeRichText(rich) : '');
    return joinSaid([head, textOf(subtitle), ...listIn(block, 'child_blocks').map(summaryOfChild)], '\n');
  },
};
