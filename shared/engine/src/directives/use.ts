import { report } from '../parse/parse-context.ts';
import type { Directive } from './directive.ts';

/** `#use`: the blocks of a partial. They take its place when a template is saved, so that no program has it. */
export const useDirective: Directive = {
  keys: {
    partial: { required: true, meaning: 'the key of the partial' },
    with: {
      required: false,
      meaning: 'the value of each name that the partial reads: a path or {"value": …}',
    },
    version: { required: false, meaning: 'its version number; by default the live version' },
  },
  meaning: 'the blocks of a partial; saving the template replaces it with them, under a `#with`',
  parse: (_value, context) =>
    report(context, 'partial.place', 'A partial stands in a list of blocks of a message template alone.', {
      hint: 'Its blocks take its place when the template is saved, validated or previewed by the service.',
    }),
};
