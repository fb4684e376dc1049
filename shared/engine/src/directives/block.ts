import { contextIn, reportType } from '../parse/parse-context.ts';
import { emitAll, parseChildren } from './children.ts';
import type { Directive } from './directive.ts';

/** `#block`: entries under a name. */
export const blockDirective: Directive = {
  keys: {
    name: { required: false, meaning: 'a label of the group, for people' },
    children: { required: true, meaning: 'the entries' },
  },
  meaning: 'groups entries without further effect',
  parse: (value, context, list) => {
    const emits = parseChildren(value, 'children', context, list);
    if (value.name !== undefined && typeof value.name !== 'string') {
      return reportType(contextIn(context, 'name'), 'a text', value.name);
    }
    return emits && ((run, out) => emitAll(emits, run, out));
  },
};
