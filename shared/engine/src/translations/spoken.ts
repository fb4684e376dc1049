import { numberOf } from '../expressions/filters/filter.ts';
import { noteRead } from '../expressions/placeholders/evaluate.ts';
import { parsePath } from '../expressions/placeholders/path.ts';
import { readerOf } from '../expressions/placeholders/reference.ts';
import { isList, isObject, isWithinDepth } from '../json.ts';
import {
  type FoundText,
  type PluralForm,
  type PluralText,
  pluralForms,
  type Texts,
} from '../languages/texts.ts';
import { limits } from '../limits.ts';
import { hintNearest } from '../parse/nearest.ts';
import { made, type Node } from '../parse/node.ts';
import { type ParseContext, report } from '../parse/parse-context.ts';
import { noteMissing, type Run, spendOutput, warn } from '../run/run.ts';

/** Most strings of most templates have none. */
const mayRead = /\{\{\s*@t\b/;
const reading = /\{\{\s*@t(?:\.([^\s|{}]*)(?![^\s|{}]))?([^{}]*)\}\}/y;
const placeholder = /\{\{(?:[^"'}]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\}(?!\}))*\}\}/sy;

/** Texts with forms in one string; each multiplies what is parsed. */
const PLURALS = 2;

/** A `{{@t.key}}` in a string. */
interface Reading {
  readonly start: number;
  readonly end: number;
  readonly key: string;
  /** What stands behind the key; nothing may. */
  readonly rest: string;
}

/** The first `{{@t.key}}` from a place on; what is in quotes of a filter, or behind a backslash, is none. */
const nextReading = (text: string, from: number): Reading | undefined => {
  let at = from;
  for (;;) {
    const start = text.indexOf('{{', at);
    if (start === -1) return undefined;
    reading.lastIndex = start;
    placeholder.lastIndex = start;
    if (text[start - 1] === '\\') {
      at = start + 2;
      continue;
    }
    const found = reading.exec(text);
    if (found) return { start, end: reading.lastIndex, key: found[1] ?? '', rest: (found[2] ?? '').trim() };
    if (!placeholder.test(text)) return undefined;
    at = placeholder.lastIndex;
  }
};

/** The text of a key; undefined when it cannot be read, which is then reported. */
const foundFor = ({ key, rest }: Reading, context: ParseContext): FoundText | undefined => {
  const { texts } = context;
  if (rest !== '' || key === '') {
    const message =
      key === ''
        ? '`@t` needs the key of a text: `{{@t.title}}`.'
        : `Nothing may follow \`@t.${key.slice(0, 80)}\`.`;
    return report(context, 'translations.place', message, {
      hint: 'Filters stand in the text itself, in each language.',
    });
  }
  if (texts === undefined) {
    const message = `There is no text \`${key.slice(0, 80)}\`: the blocks bring no texts in languages.`;
    return report(context, 'translations.unknown', message, {
      hint: 'Add {"type": "directive", "directive": "#translations", "translations": {"en": {…}}} to the blocks.',
    });
  }
  texts.used.add(key);
  const found = texts.find(key);
  if (found !== undefined) return found;
  const message = `No language has a text \`${key.slice(0, 80)}\`.`;
  return report(context, 'translations.unknown', message, hintNearest(key, texts.keys));
};

/** What a text is parsed to, without `{{@t.key}}` in it. */
type Parse = (text: string, context: ParseContext) => Node | undefined;

const makeNode = (run: Run, node: Node): unknown => {
  if (!node.fixed) return node.make(run);
  spendOutput(run, node.objects, node.units);
  run.text += node.text;
  return node.value;
};

/** A string with a text that has forms: each form is parsed, and the number of the run decides. */
const parsePlural = (
  { plural, forms }: PluralText,
  language: string,
  texts: Texts,
  context: ParseContext,
  parseForm: (text: string) => Node | undefined,
): Node | undefined => {
  const path = parsePath(plural, context);
  if (path === undefined) return undefined;
  noteRead(context, path, 'value', { filters: [{ filter: { name: 'plural' } }] });
  const nodes: Partial<Record<PluralForm, Node>> = {};
  for (const form of pluralForms) {
    const text = forms[form];
    const node = text === undefined ? undefined : parseForm(text);
    if (text !== undefined && node === undefined) return undefined;
    if (node !== undefined) nodes[form] = node;
  }
  const { other } = nodes;
  if (other === undefined) return undefined;
  const { reference } = path;
  const read = readerOf(reference);
  const { pointer } = context;
  return made((run) => {
    const value = read(run);
    const number = isList(value) ? value.length : numberOf(value);
    if (value === undefined || value === null) noteMissing(run, reference, pointer);
    else if (number === undefined) {
      warn(
        run,
        'value.not_formatted',
        pointer,
        `\`${plural}\` is no number, so the form \`other\` stands there.`,
      );
    }
    return makeNode(run, (number === undefined ? undefined : nodes[texts.formOf(language, number)]) ?? other);
  });
};

const parseFrom = (
  text: string,
  context: ParseContext,
  parse: Parse,
  from: number,
  plurals: number,
): Node | undefined => {
  const found = nextReading(text, from);
  if (found === undefined) return parse(text, context);
  const said = foundFor(found, context);
  if (said?.text === undefined) return undefined;
  const before = text.slice(0, found.start);
  const after = text.slice(found.end);
  const goOn = (form: string, more: number) =>
    parseFrom(before + form + after, context, parse, before.length + form.length, plurals + more);
  if (typeof said.text === 'string') return goOn(said.text, 0);
  if (plurals >= PLURALS) {
    const message = `A string has at most ${PLURALS} texts with forms of a number in it.`;
    return report(context, 'translations.place', message, { hint: 'Say it in one text, or in two blocks.' });
  }
  const { texts } = context;
  return texts && parsePlural(said.text, said.language, texts, context, (form) => goOn(form, 1));
};

/** Parses a string with the texts of the language of the parse in place of `{{@t.key}}`. */
export const parseSpoken = (text: string, context: ParseContext, parse: Parse): Node | undefined =>
  mayRead.test(text) ? parseFrom(text, context, parse, 0, 0) : parse(text, context);

const spokenText = (text: string, context: ParseContext): string | undefined => {
  let spoken = text;
  let from = 0;
  for (;;) {
    const found = nextReading(spoken, from);
    if (found === undefined) return spoken;
    const said = foundFor(found, context)?.text;
    if (said === undefined) return undefined;
    if (typeof said !== 'string') {
      const message = `\`@t.${found.key}\` has forms of a number, which an interaction cannot choose from.`;
      return report(context, 'translations.place', message, { hint: 'Give it one form, or another key.' });
    }
    spoken = spoken.slice(0, found.start) + said + spoken.slice(found.end);
    from = found.start + said.length;
  }
};

/**
 * JSON with the texts in place of `{{@t.key}}` in its strings, for what is kept until it is used. What cannot be read
 * is reported.
 */
export const spokenJson = (value: unknown, context: ParseContext): unknown => {
  // What nests deeper is refused where it is parsed.
  if (context.texts === undefined || !isWithinDepth(value, limits['engine.json_depth'].max)) return value;
  const inside = (inner: unknown): unknown => {
    if (typeof inner === 'string') return mayRead.test(inner) ? (spokenText(inner, context) ?? '') : inner;
    if (isList(inner)) return inner.map(inside);
    if (!isObject(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, item]): [string, unknown] => [key, inside(item)]),
    );
  };
  return inside(value);
};
