import { isObject, readJson } from '../../json.ts';
import type { Beginning } from './use-new-template.ts';

type Block = NonNullable<Beginning['blocks']>[number];

const isBlock = (value: unknown): value is Block => isObject(value) && typeof value.type === 'string';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * The template in a text that somebody pasted: a list of blocks, an object with `blocks`, or a whole template as the API
 * takes it. A given name goes before the one in the text.
 */
export const templateIn = (pasted: string, name: string): { template: Beginning } | { problem: string } => {
  const read = readJson(pasted);
  if (read.problem !== undefined) return { problem: read.problem };
  const given = Array.isArray(read.value) ? { blocks: read.value } : read.value;
  if (!isObject(given) || !Array.isArray(given.blocks)) {
    return { problem: 'It holds no blocks: paste a list of blocks, or an object with “blocks”.' };
  }
  const at = given.blocks.findIndex((block) => !isBlock(block));
  if (at >= 0) return { problem: `Block ${at + 1} has no type.` };
  const blocks = given.blocks.filter(isBlock);
  if (blocks.length === 0) return { problem: 'The list of blocks is empty.' };
  const fallback = text(given.fallback_text) ?? text(given.text);
  return {
    template: {
      name: name.trim() || (text(given.name) ?? 'Untitled template'),
      blocks,
      ...(text(given.description) && { description: text(given.description) }),
      ...(fallback && { fallback_text: fallback }),
      ...(isObject(given.sample_data) && { sample_data: given.sample_data }),
    },
  };
};
