import { noteRead } from '../expressions/placeholders/evaluate.ts';
import { hasPlaceholder, scanText } from '../expressions/placeholders/scan.ts';
import type { Spec } from '../grammar/spec.ts';
import { isList, isObject, isWithinDepth } from '../json.ts';
import { limits } from '../limits.ts';
import { fixed } from '../parse/node.ts';
import { type Place, placeIn, report } from '../parse/parse-context.ts';

const parseText = (text: string, place: Place): boolean => {
  if (!hasPlaceholder(text)) return true;
  const scanned = scanText(text, place);
  if (scanned === undefined) return false;
  for (const { placeholder } of scanned.holes) noteRead(place, placeholder.path, 'value', placeholder);
  return true;
};

const parseInside = (value: unknown, place: Place): boolean => {
  if (typeof value === 'string') return parseText(value, place);
  if (isList(value))
    return value.map((item, index) => parseInside(item, placeIn(place, index))).every(Boolean);
  if (!isObject(value)) return true;
  return Object.entries(value)
    .map(([key, item]) => parseInside(item, placeIn(place, key)))
    .every(Boolean);
};

/** Any JSON value with placeholders in its strings; it stays as it is until an interaction uses it. */
export const jsonWithPlaceholders: Spec = {
  parse: (value, place) => {
    const { max } = limits['engine.json_depth'];
    if (!isWithinDepth(value, max)) {
      const message = `A value here nests ${max} levels deep at most.`;
      return report(place, 'limit.max', message, { limit: 'engine.json_depth', max });
    }
    return parseInside(value, place) ? fixed(value) : undefined;
  },
  describe: () => ({ kind: 'json' }),
};
