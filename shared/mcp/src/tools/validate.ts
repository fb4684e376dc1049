import { counted } from '../counted.ts';
import { blocks, data, inputOf, whole } from '../inputs.ts';
import { tool } from '../tool.ts';
import { problemWithTools, withTools } from '../tool-names.ts';

/** Checks blocks without saving anything. */
export const validate = tool({
  name: 'validate',
  title: 'Check blocks',
  description:
    'Checks blocks without saving anything, and answers every problem at once: where it is (a JSON pointer), the rule, and how to mend it. Answers also every value that the blocks read.',
  scopes: ['messages:preview'],
  changes: false,
  input: inputOf({ blocks, data: data.optional(), whole }),
  output: {
    valid: 'boolean',
    problems: 'array',
    warnings: 'array',
    reads: 'array',
    problem_count: 'integer',
  },
  run: async (stanza, { blocks: given, data: sample }) => {
    const {
      valid,
      errors = [],
      warnings,
      request_format,
    } = await stanza.templates.validate({
      blocks: given,
      ...(sample !== undefined && { sample_data: sample }),
    });
    const problems = errors.map(problemWithTools);
    return {
      sentence: valid
        ? `The blocks are valid, with ${counted(warnings.length, 'warning')}.`
        : `The blocks have ${counted(errors.length, 'problem')}; mend what is wrong and check again.`,
      content: {
        valid,
        problems,
        warnings: warnings.map(withTools),
        reads: Object.keys(request_format),
      },
      outline: { valid, problems: problems.slice(0, 10), problem_count: errors.length },
    };
  },
});
