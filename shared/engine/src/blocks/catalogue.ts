import type { Kinds } from '../grammar/typed.ts';
import { interactionKinds } from '../interactions/interactive.ts';
import type { TableName } from '../parse/description.ts';
import { blockKinds } from './blocks.ts';
import { charts } from './chart/native-chart.ts';
import { elements } from './elements/elements.ts';
import { richTextKinds } from './rich-text.ts';
import { cells } from './table/native-table.ts';

/** Every table of the catalogue by its name. */
export const catalogue: Readonly<Record<TableName, Kinds>> = {
  blocks: blockKinds,
  elements,
  rich_text: richTextKinds,
  cells,
  charts,
  interactions: interactionKinds,
};

const known = new Set([
  ...Object.values(catalogue).flatMap((kinds) => Object.keys(kinds)),
  ...['plain_text', 'mrkdwn', 'file', 'directive'],
]);

/** Whether a `type` is one of the catalogue, wherever it may stand. */
export const isKnownType = (type: string): boolean => known.has(type);
