import { isList, isObject } from '../../json.ts';
import { isDocument, type TemplateDocument } from './document.ts';

const escaped = (path: string): string => path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const inText = (text: string, path: string, instead: string): string =>
  text.replaceAll(
    new RegExp(String.raw`\{\{\s*${escaped(path)}\s*((?:\|[^}]*)?)\}\}`, 'g'),
    (whole, filters: string) =>
      /^\|\s*default\b/.test(filters)
        ? whole
        : `{{${path} | default:${JSON.stringify(instead)}${filters === '' ? '' : ` ${filters.trim()}`}}}`,
  );

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
