import type { Stanza } from '@stanza/sdk';
import type { z } from 'zod';
import { counted, firstOf } from '../counted.ts';
import {
  blocks,
  data,
  inputOf,
  templateKey,
  templateOf,
  versionNumber,
  versionOf,
  whole,
} from '../inputs.ts';
import { tool } from '../tool.ts';
import { withTools } from '../tool-names.ts';
import { previewViewAddress } from '../views.ts';

interface Given {
  template?: string | undefined;
  version?: number | undefined;
  blocks?: z.output<typeof blocks> | undefined;
}

const isOne = ({ template, version, blocks: given }: Given): boolean =>
  template === undefined ? given !== undefined && version === undefined : given === undefined;

/** What is shown of a template: its live version, else the one with a number. */
const shownOf = async (stanza: Stanza, template: string, version: number | undefined) => {
  if (version === undefined) return { template_key: template };
  const { id } = await templateOf(stanza, template);
  return { template_id: id, version_id: (await versionOf(stanza, id, version)).id };
};

/** Shows what blocks or a template make of data. */
export const preview = tool({
  name: 'preview',
  title: 'Preview a message',
  description:
    'Shows the message that a template, or blocks, make of data, free of charge. Give a template or blocks. Without data a template takes its sample data.',
  scopes: ['messages:preview'],
  changes: false,
  view: previewViewAddress,
  input: inputOf({
    template: templateKey.optional().describe('the key of a template, whose live version is shown'),
    version: versionNumber.optional().describe('with a template: the number of a version, live or not'),
    blocks: blocks.optional().describe('blocks in place of a template'),
    data: data.optional(),
    whole,
  }).refine(isOne, { path: ['blocks'], message: 'give a template or blocks, exactly one of the two' }),
  output: { text: 'string', warnings: 'array', blocks: 'array', block_count: 'integer' },
  run: async (stanza, { template, version, blocks: given, data: values }) => {
    const made = await stanza.templates.preview({
      ...(template === undefined ? { blocks: given ?? [] } : await shownOf(stanza, template, version)),
      ...(values !== undefined && { data: values }),
    });
    const warnings = made.warnings.map(withTools);
    return {
      sentence: `The message has ${counted(made.blocks.length, 'block')}, with ${counted(warnings.length, 'warning')}.`,
      content: { text: made.text, warnings, blocks: made.blocks },
      message: { blocks: made.blocks, text: made.text },
      outline: {
        text: made.text.slice(0, 3_000),
        warnings: firstOf(warnings),
        block_count: made.blocks.length,
      },
    };
  },
});
