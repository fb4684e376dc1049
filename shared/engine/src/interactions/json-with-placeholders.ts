import { noteRead } from '../expressions/placeholders/evaluate.ts';
import { hasPlaceholder, scanText } from '../expressions/placeholders/scan.ts';
import { isList, isObject, isWithinDepth } from '../json.ts';
import { limits } from '../limits.ts';
import type { Grammar } from '../parse/grammar.ts';
import { fixed } from '../parse/node.ts';
import { contextIn, type ParseContext, report } from '../parse/parse-context.ts';

const parseText = (text: string, context: ParseContext): boolean => {
  if (!hasPlaceholder(text)) return true;
  const scanned = scanText(text, context);
  if (scanned === undefined) return false;
  // A value that stands alone keeps its JSON type.
  const isAlone = scanned.head === '' && scanned.holes.length === 1 && scanned.holes[0]?.after === '';
  for (const { placeholder } of scanned.holes) {
    const isWhole = isAlone && placeholder.filters.length === 0;
    noteRead(context, placeholder.path, isWhole ? 'json' : 'value', placeholder);
  }
  return true;
};

const parseInside = (value: unknown, context: ParseContext): boolean => {
  if (typeof value === 'string') return parseText(value, context);
  if (isList(value))
    return value.map((item, index) => parseInside(item, contextIn(context, index))).every(Boolean);
  if (!isObject(value)) return true;
  return Object.entries(value)
    .map(([key, item]) => parseInside(item, contextIn(context, key)))
    .every(Boolean);
};

/** Any JSON value with placeholders in its strings; it stays as it is until an interaction uses it. */
export const jsonWithPlaceholders: Grammar = {
  parse: (value, context) => {
    const { max } = limits['engine.json_depth'];
    if (!isWithinDepth(value, max)) {
      const message = `A value here nests ${max} levels deep at most.`;
      return report(context, 'limit.max', message, { limit: 'engine.json_depth', max });
    }
    return parseInside(value, context) ? fixed(value) : undefined;
  },
  describe: () => ({ kind: 'json' }),
};
