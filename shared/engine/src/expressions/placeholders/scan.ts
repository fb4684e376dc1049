import { limits } from '../../limits.ts';
import { type ParseContext, report } from '../../parse/parse-context.ts';
import type { ParsedPath } from '../../parse/parsed-path.ts';
import { readPath, unquote, writePath } from '../../run/path-text.ts';
import { type FilterCall, findFilter, isFilter } from '../filters/call.ts';
import { parsePath } from './path.ts';

/** One `{{…}}` of a string. */
export interface Placeholder {
  readonly path: ParsedPath;
  readonly filters: readonly FilterCall[];
  /** A missing value is filled by a `default`. */
  readonly hasDefault: boolean;
}

/** A string of the template: text and placeholders in turns. */
export interface Scanned {
  /** Text before the first placeholder. */
  readonly head: string;
  readonly holes: readonly { readonly placeholder: Placeholder; readonly after: string }[];
}

interface Cursor {
  readonly text: string;
  at: number;
}

const spaces = /\s*/y;
/** Quoted keys hold anything, other text ends at a space, a filter or the braces. */
const pathText = /[^\s|}[]*(?:\[(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*')?[^\s|}[]*)*/sy;
const word = /[A-Za-z_]\w*/y;
const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;
const literal = /-?\d{1,15}(?:\.\d{1,15})?(?![\w.])|true\b|false\b/y;

const take = (cursor: Cursor, pattern: RegExp): string | undefined => {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
};

const accept = (cursor: Cursor, text: string): boolean => {
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
};

const scanArgument = (cursor: Cursor): string | number | boolean | undefined => {
  const string = take(cursor, quoted);
  if (string !== undefined) return unquote(string);
  const bare = take(cursor, literal);
  if (bare === undefined) return undefined;
  if (bare === 'true') return true;
  return bare === 'false' ? false : Number(bare);
};

const scanArguments = (cursor: Cursor, name: string, context: ParseContext) => {
  const given: (string | number | boolean)[] = [];
  do {
    take(cursor, spaces);
    const argument = scanArgument(cursor);
    if (argument === undefined) {
      return report(
        context,
        'filter.arguments',
        `\`${name}\` expects a quoted text or a number after \`:\`.`,
        {
          hint: `Write \`${name}:"text"\` or \`${name}:2\`.`,
        },
      );
    }
    given.push(argument);
    take(cursor, spaces);
  } while (accept(cursor, ','));
  return given;
};

/** The filters after a path; undefined when one is wrong. The cursor then stands behind what could be read. */
const scanFilters = (cursor: Cursor, context: ParseContext): FilterCall[] | undefined => {
  const calls: FilterCall[] = [];
  const most = limits['engine.filters'].max;
  let count = 0;
  let sound = true;
  while (accept(cursor, '|')) {
    take(cursor, spaces);
    const name = take(cursor, word);
    if (name === undefined) {
      const hint = { hint: 'For a value that may be missing, write `{{name | default:"text"}}`.' };
      return report(context, 'placeholder.syntax', 'A `|` must be followed by a filter.', hint);
    }
    take(cursor, spaces);
    const given = accept(cursor, ':') ? scanArguments(cursor, name, context) : [];
    if (given === undefined) return undefined;
    take(cursor, spaces);
    count += 1;
    if (count > most) {
      return report(context, 'filter.order', `At most ${most} filters fit in a placeholder.`, {
        limit: 'engine.filters',
        max: most,
      });
    }
    const call = findFilter(name, given, calls, context);
    if (call === undefined) sound = false;
    else calls.push(call);
  }
  return sound ? calls : undefined;
};

/** What stands between the cursor and a filter or the braces; undefined where no braces close the placeholder. */
const textInside = ({ text, at }: Cursor): string | undefined => {
  const close = text.indexOf('}}', at);
  const inside = close === -1 ? '{{' : text.slice(at, close);
  return inside.includes('{{') ? undefined : inside.replace(/\|.*/s, '').trimEnd();
};

const reportOpen = (written: string, context: ParseContext): undefined => {
  const message = `The placeholder \`{{${written.slice(0, 40)}\` is not closed by \`}}\`.`;
  return report(context, 'placeholder.syntax', message, { hint: 'Write `\\{{` for two braces as text.' });
};

/** What other languages compute or decide with. */
const operator = /^(?:[?:=<>!&+*/%-]|(?:and|or)\b)/;

/** Two words without `|` between them: a filter whose `|` was forgotten, an operator, else a key with spaces. */
const reportSpaces = (text: string, written: string, context: ParseContext): undefined => {
  const shown = text.slice(0, 80);
  const rest = text.slice(written.length + 1);
  if (isFilter(/^\w*/.exec(rest)?.[0] ?? '')) {
    const message = `\`${shown}\` is no path: a filter stands behind \`|\`.`;
    return report(context, 'placeholder.syntax', message, { hint: `Did you mean \`${written} | ${rest}\`?` });
  }
  const dot = written.lastIndexOf('.');
  const { steps = [] } = readPath(written.slice(0, Math.max(0, dot))) ?? {};
  const start = dot === -1 && context.scope !== undefined ? 'this' : '';
  const quoted = writePath([...steps, text.slice(dot + 1)], start);
  if (operator.test(rest)) {
    const message = `\`${shown}\` is no path: a placeholder has no operators.`;
    const hint = `An \`#if\` decides, and \`default\` stands in for a missing value. A key of this name is \`${quoted}\`.`;
    return report(context, 'placeholder.syntax', message, { hint });
  }
  const message = `\`${shown}\` is no path: a key with spaces is written in quotes.`;
  return report(context, 'placeholder.syntax', message, { hint: `Did you mean \`${quoted}\`?` });
};

const reportBehind = (filter: string, rest: string, context: ParseContext): undefined => {
  const message = `\`${rest.slice(0, 40)}\` cannot stand behind the filter \`${filter}\`.`;
  const hint =
    'Another filter stands behind `|`, and what a filter takes behind `:`. A text that holds a quote stands in quotes of the other kind.';
  return report(context, 'placeholder.syntax', message, { hint });
};

const blockHelper = /^[#/^>!&{]|^else\b/;

const scanPlaceholder = (cursor: Cursor, context: ParseContext): Placeholder | undefined => {
  take(cursor, spaces);
  const written = take(cursor, pathText);
  if (written === undefined || written === '')
    return report(context, 'placeholder.syntax', 'A placeholder needs a path: `{{name}}`.');
  if (blockHelper.test(written)) {
    return report(context, 'placeholder.syntax', `\`{{${written.slice(0, 40)}…\` is no placeholder.`, {
      hint: 'Loops and conditions are entries of lists: {"type": "directive", "directive": "#each", …}. Unescaped text takes the filter `raw`.',
    });
  }
  take(cursor, spaces);
  const filters = scanFilters(cursor, context);
  if (filters === undefined) return undefined;
  if (!accept(cursor, '}}')) {
    const rest = textInside(cursor);
    if (rest === undefined) return reportOpen(written, context);
    const last = filters.at(-1)?.filter.name;
    return last === undefined
      ? reportSpaces(`${written} ${rest}`, written, context)
      : reportBehind(last, rest, context);
  }
  const path = parsePath(written, context);
  if (path === undefined) return undefined;
  return { path, filters, hasDefault: filters.some(({ filter }) => filter.name === 'default') };
};

/** Counts a placeholder of the template; false beyond the budget, which is reported once. */
const spendPlaceholder = (context: ParseContext): boolean => {
  const { spent } = context.parsing;
  const { max } = limits['engine.placeholders'];
  spent.placeholders += 1;
  if (spent.placeholders === max + 1) {
    report(context, 'budget', `A template holds ${max} placeholders at most, all texts together.`, {
      limit: 'engine.placeholders',
      max,
    });
  }
  return spent.placeholders <= max;
};

/** Whether a string of the template is to be scanned at all. */
export const hasPlaceholder = (text: string): boolean => text.includes('{{');

/** The path of a sound text that is one placeholder and nothing else; undefined for any other. */
export const pathAlone = (text: string): string | undefined => {
  const cursor: Cursor = { text, at: 0 };
  if (!accept(cursor, '{{')) return undefined;
  take(cursor, spaces);
  const written = take(cursor, pathText);
  return /^[^{}]*\}\}$/.test(text.slice(cursor.at)) ? written : undefined;
};

/**
 * Splits a string into text and placeholders; `\{{` is two braces as text.
 *
 * @returns undefined when any placeholder is wrong; every one of them is then reported
 */
export const scanText = (text: string, context: ParseContext): Scanned | undefined => {
  const texts: string[] = [];
  const placeholders: Placeholder[] = [];
  const cursor: Cursor = { text, at: 0 };
  let pending = '';
  let sound = true;
  for (;;) {
    const open = text.indexOf('{{', cursor.at);
    if (open === -1) break;
    if (text[open - 1] === '\\' && open > cursor.at) {
      pending += `${text.slice(cursor.at, open - 1)}{{`;
      cursor.at = open + 2;
      continue;
    }
    if (!spendPlaceholder(context)) return undefined;
    texts.push(pending + text.slice(cursor.at, open));
    pending = '';
    cursor.at = open + 2;
    const placeholder = scanPlaceholder(cursor, context);
    if (placeholder !== undefined) {
      placeholders.push(placeholder);
      continue;
    }
    sound = false;
    // Continues behind the broken one, so that later mistakes are reported as well.
    if (text.endsWith('}}', cursor.at)) continue;
    const close = text.indexOf('}}', cursor.at);
    if (close === -1) break;
    cursor.at = close + 2;
  }
  texts.push(pending + text.slice(cursor.at));
  if (!sound) return undefined;
  const holes = placeholders.map((placeholder, index) => ({ placeholder, after: texts[index + 1] ?? '' }));
  return { head: texts[0] ?? '', holes };
};
