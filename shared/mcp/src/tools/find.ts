import { z } from 'zod';
import { counted } from '../counted.ts';
import { inputOf, whole } from '../inputs.ts';
import { tool } from '../tool.ts';

const shown = 20;

/** Finds templates by words. */
export const find = tool({
  name: 'find',
  title: 'Find templates',
  description:
    'Lists templates of this environment, the best fitting first where words are given, else the newest. Answers keys, names and whether each is live.',
  scopes: ['templates:read'],
  changes: false,
  input: inputOf({
    words: z
      .string()
      .max(100)
      .optional()
      .describe('part of the name or of the description, two letters or more'),
    whole,
  }),
  output: { templates: 'array' },
  run: async (stanza, { words }) => {
    const query = { limit: shown };
    const list =
      words === undefined ? stanza.templates.list(query) : stanza.search.templates({ ...query, q: words });
    const templates = [];
    for await (const { key, name, description, lifecycle, current_version_id, updated_at } of list) {
      templates.push({ key, name, description, is_live: current_version_id !== null, lifecycle, updated_at });
      if (templates.length === shown) break;
    }
    const count =
      templates.length === shown ? `The first ${shown} templates` : counted(templates.length, 'template');
    return {
      sentence: `${count}. The tool "read" shows one of them whole.`,
      content: { templates },
      outline: { templates: templates.map(({ key, is_live }) => ({ key, is_live })) },
    };
  },
});
