import { z } from 'zod';
import { blocks, templateKey, templateOf, whole } from '../inputs.ts';
import { tool } from '../tool.ts';

const either = { template: templateKey, blocks: blocks.optional().describe('in place of the draft'), whole };

/** Compares the draft, or blocks, with the live version. */
export const diff = tool({
  name: 'diff',
  title: 'Compare with the live version',
  description:
    'Compares the draft of a template, or blocks, with its live version, block by block: added, removed, changed, moved.',
  scopes: ['templates:read'],
  changes: false,
  input: z.object(either),
  run: async (stanza, { template: key, blocks: given }) => {
    const { id } = await templateOf(stanza, key);
    const { added, removed, changed, moved } = await stanza.templates.diff(
      id,
      given === undefined ? { draft: true } : { blocks: given },
    );
    return {
      sentence: `${added.length} blocks added, ${removed.length} removed, ${changed.length} changed, ${moved.length} moved.`,
      content: { added, removed, changed, moved },
      outline: {
        added: added.map(({ pointer, type }) => ({ pointer, type })),
        removed: removed.map(({ pointer, type }) => ({ pointer, type })),
        changed: changed.length,
        moved: moved.length,
      },
    };
  },
});

/** Says what making the draft, or blocks, live would change and break. */
export const impact = tool({
  name: 'impact',
  title: 'What it would change and break',
  description:
    'Says what it would mean to make the draft of a template, or blocks, live: which values it then reads, and what becomes of the data that is stored (sample data, scheduled messages, recent batches). Names what was not looked at.',
  scopes: ['templates:read', 'messages:preview'],
  changes: false,
  input: z.object(either),
  run: async (stanza, { template: key, blocks: given }) => {
    const { id } = await templateOf(stanza, key);
    const looked = given ?? blocks.safeParse((await stanza.templates.draft.get(id)).blocks).data;
    if (looked === undefined) {
      return { sentence: 'The draft is no list of blocks yet; "validate" says what is wrong.', content: {} };
    }
    const { inputs, data, summary, not_looked_at } = await stanza.templates.impact.get(id, {
      blocks: looked,
    });
    return {
      sentence: `Of the stored data, ${summary.breaks} would break, ${summary.warning} would be warned of, ${summary.changed} would look different.`,
      content: { inputs, summary, data, not_looked_at },
      outline: { inputs, summary, breaks: data.filter(({ effect }) => effect === 'breaks').slice(0, 5) },
    };
  },
});
