import type { Block } from '@stanza/engine';
import { isObject, type JsonObject } from '../files/canonical.ts';
import { listOf, type Shape } from './shape.ts';

const problem = (value: unknown, at: string): string | undefined =>
  isObject(value) && typeof value.type === 'string' ? undefined : `${at} is to be an object with a \`type\``;

const block: Shape<Block> = { problem, is: (value): value is Block => problem(value, '') === undefined };

/** Blocks, which the service checks further when they are saved. */
export const blocks = listOf(block);

/** What a version of a modal or a partial holds, as the API takes it. */
export const versionBody = (document: { blocks: Block[]; data?: JsonObject }) => ({
  blocks: document.blocks,
  sample_data: document.data ?? {},
});
