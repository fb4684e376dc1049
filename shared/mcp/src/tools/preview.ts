import { blocks, data, inputOf, templateKey, whole } from '../inputs.ts';
import { tool } from '../tool.ts';
import { withTools } from '../tool-names.ts';
import { previewViewAddress } from '../views.ts';

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
    blocks: blocks.optional().describe('blocks in place of a template'),
    data: data.optional(),
    whole,
  }).refine(({ template, blocks: given }) => (template === undefined) !== (given === undefined), {
    path: ['blocks'],
    message: 'give a template or blocks, exactly one of the two',
  }),
  output: { text: 'string', warnings: 'array', blocks: 'array', block_count: 'integer' },
  run: async (stanza, { template, blocks: given, data: values }) => {
    const made = await stanza.templates.preview({
      ...(template === undefined ? { blocks: given ?? [] } : { template_key: template }),
      ...(values !== undefined && { data: values }),
    });
    const warnings = made.warnings.map(withTools);
    return {
      sentence: `The message has ${made.blocks.length} blocks, with ${warnings.length} warnings.`,
      content: { text: made.text, warnings, blocks: made.blocks },
      message: { blocks: made.blocks, text: made.text },
      outline: {
        text: made.text.slice(0, 3_000),
        warnings: warnings.slice(0, 10),
        block_count: made.blocks.length,
      },
    };
  },
});
