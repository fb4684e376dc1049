import { stringify } from 'yaml';
import type { JsonObject } from '../kubernetes/manifest.ts';

/** Stands for a text of Helm's language until the YAML around it is written. */
const token = (kind: 'value' | 'yaml' | 'lines', text: string): string =>
  `INSERT-${kind}-${Buffer.from(text).toString('hex')}-END`;

/** A value that Helm computes. */
export const value = (expression: string): string => token('value', `{{ ${expression} }}`);

/** An object or a list of the chart's values. */
export const yamlOf = (expression: string): string =>
  token('yaml', `{{- toYaml ${expression} | nindent <indent + 2> }}`);

/** Lines in the place of a key: `{ [lines('…')]: null }`. `<indent>` is a number, `<spaces>` this many of them. */
export const lines = (text: string): string => token('lines', text);

/** Lines of a named template, in the place of a key. */
export const included = (call: string): JsonObject => ({
  [lines(`{{- include ${call} | nindent <indent> }}`)]: null,
});

/** Keys of an object that are there under a condition. */
export const when = (condition: string, keys: JsonObject): JsonObject => ({
  [lines(`{{- if ${condition} }}\n${templateText(keys).replaceAll(/^(?=.)/gm, '<spaces>')}{{- end }}`)]: null,
});

/** A resource as a template. */
export const templateText = (resource: JsonObject): string =>
  stringify(resource, { lineWidth: 0 }).replaceAll(
    /^((?: |- )*)(.*?)INSERT-(\w+)-([0-9a-f]+)-END(: null)?/gm,
    (_, start: string, before: string, kind: string, hex: string) => {
      // What stands in the place of an item of a list begins with the item's dash itself.
      const indent = kind === 'lines' ? start.replace(/- $/, '').length : start.length;
      const text = Buffer.from(hex, 'hex')
        .toString()
        .replaceAll('<indent>', String(indent))
        .replaceAll('<indent + 2>', String(indent + 2))
        .replaceAll('<spaces>', ' '.repeat(indent));
      if (kind === 'value') return start + before + text;
      if (kind === 'yaml') return `${start}${before.trimEnd()} ${text}`;
      return text;
    },
  );
