import type { Kind } from '../grammar/typed.ts';
import { isList, isObject } from '../json.ts';
import { limitOf } from '../limits.ts';
import { indefinite } from '../parse/article.ts';
import { contextIn, type ParseContext, type Surface, warnOfTemplate } from '../parse/parse-context.ts';

/** Warns of keys that third parties know and the platform's documentation does not. */
export const noteThirdParty =
  (what: string, keys: readonly string[]): NonNullable<Kind['note']> =>
  (value, context) => {
    for (const key of keys) {
      if (!Object.hasOwn(value, key)) continue;
      const story = `\`${key}\` of ${indefinite(what)} is known from third parties alone; the platform may refuse it (source: slack-morphism 2.30).`;
      warnOfTemplate(contextIn(context, key), 'platform.disputed', story);
    }
  };

/** Cells and what may stand for them in a row: directives hold theirs under these keys. */
const holders = ['children', 'else', 'empty'];

/** The first cell of a type in rows as a template writes them. Looks no deeper than directives may stand. */
const findCell = (
  value: unknown,
  type: string,
  context: ParseContext,
  levels = 2 + 2 * limitOf('engine.depth').max,
): ParseContext | undefined => {
  const search = (inner: unknown, step: string | number): ParseContext | undefined =>
    findCell(inner, type, contextIn(context, step), levels - 1);
  if (levels < 0) return undefined;
  if (isObject(value) && value.type === type) return context;
  const inside: [string | number, unknown][] = isList(value)
    ? [...value.entries()]
    : isObject(value)
      ? holders.map((key) => [key, value[key]])
      : [];
  for (const [step, inner] of inside) {
    const found = search(inner, step);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Warns, once for a table, of numbers in the cells of a `table`. */
export const noteNumberCells: NonNullable<Kind['note']> = (value, context) => {
  const at = findCell(value.rows, 'raw_number', contextIn(context, 'rows'));
  if (at === undefined) return;
  const story =
    'the platform may refuse a `raw_number` in a `table`; a `raw_text` shows the same, and a `data_table` takes numbers (sources: types of the SDK 3.2 have it, the documentation and slack-go 0.29 do not).';
  warnOfTemplate(at, 'platform.disputed', story);
};

/**
 * Warns of what third parties say stands on one surface alone.
 *
 * @param key the key that it is about; the whole object where none is given
 */
export const noteSurface =
  (surface: Surface, what: string, key?: string): NonNullable<Kind['note']> =>
  (value, context) => {
    if (context.parsing.surface === surface || (key !== undefined && value[key] !== true)) return;
    const at = key === undefined ? context : contextIn(context, key);
    const story = `the platform may refuse ${what} outside of a ${surface} (source: third-party validators).`;
    warnOfTemplate(at, 'platform.disputed', story);
  };
