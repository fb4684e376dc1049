import { report } from '../parse/parse-context.ts';
import type { Directive } from './directive.ts';

/** `#translations`: the texts of the blocks next to it. The list that it stands in has read them before its blocks. */
export const translationsDirective: Directive = {
  keys: {
    translations: {
      required: true,
      meaning:
        'each text by language (BCP 47) and key, or its plural forms as {"plural": path, "one": …, "other": …}; blocks read them by {{@t.key}}',
    },
  },
  meaning: 'texts for the other blocks, by language; renders nothing itself',
  parse: (_value, context) => {
    if (context.texts?.pointer === context.pointer) return () => undefined;
    const message =
      '`#translations` stands once in the blocks of a message template, and beside them, not inside one.';
    return report(context, 'translations.place', message, {
      hint: 'Put all texts into one entry at the end of the blocks.',
    });
  },
};
