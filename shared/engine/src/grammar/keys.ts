import type { JsonObject } from '../json.ts';
import { withArticle } from '../parse/article.ts';
import { hintNearest } from '../parse/nearest.ts';
import { contextIn, type ParseContext, report } from '../parse/parse-context.ts';

/** Reports the keys that an object lacks and those that it must not have; false when there are any. */
export const checkKeys = (
  value: JsonObject,
  keys: { readonly required: readonly string[]; readonly optional: readonly string[] },
  what: string,
  context: ParseContext,
): boolean => {
  let sound = true;
  const known = [...keys.required, ...keys.optional];
  for (const key of keys.required) {
    if (Object.hasOwn(value, key)) continue;
    report(context, 'required', `${withArticle(what)} needs the key \`${key}\`.`);
    sound = false;
  }
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const message = `${withArticle(what)} has no key \`${key.slice(0, 80)}\`.`;
    report(contextIn(context, key), 'key.unknown', message, hintNearest(key, known));
    sound = false;
  }
  return sound;
};
