import { readPath, writePath } from '@stanza/engine';
import { isList, isObject } from '../../json.ts';
import { isDocument, type TemplateDocument } from './document.ts';

const placeholder =
  /\{\{\s*((?:[^\s|}[]|\[(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\d*)\])+)\s*((?:\|[^}]*)?)\}\}/gs;

/** One text for paths that read the same, however their keys are quoted. */
const inOneForm = (path: string): string => {
  const { steps, isQuoted } = readPath(path) ?? {};
  // `this` is the item of a loop there.
  return steps === undefined || (!isQuoted && steps[0] === 'this') ? path : writePath(steps);
};

const inText = (text: string, path: string, instead: string): string =>
  text.replaceAll(placeholder, (whole, written: string, filters: string) => {
    if (inOneForm(written) !== inOneForm(path) || /^\|\s*default\b/.test(filters)) return whole;
    return `{{${written} | default:${JSON.stringify(instead)}${filters === '' ? '' : ` ${filters.trim()}`}}}`;
  });

const inValue = (value: unknown, path: string, instead: string): unknown => {
  if (typeof value === 'string') return inText(value, path, instead);
  if (isList(value)) return value.map((item) => inValue(item, path, instead));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inValue(inner, path, instead)]),
  );
};

/** Writes what stands in place of a missing value, into every placeholder of a path that says nothing of it yet. */
export const withDefault = (document: TemplateDocument, path: string, instead: string): TemplateDocument => {
  const changed = inValue(document, path, instead);
  return isDocument(changed) ? changed : document;
};
