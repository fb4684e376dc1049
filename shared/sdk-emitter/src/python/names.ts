import { argumentOf } from '../argument.ts';
import type { Parameter, SdkOperation } from '../operations.ts';

/** The first line of a module that the build makes. */
export const pythonHead = (source: string): string =>
  `# Made from ${source} by the build; changes belong there.\n`;

/** Words that Python keeps for itself, as far as the interface uses them. */
const reserved = new Set(['and', 'as', 'class', 'def', 'del', 'for', 'from', 'global', 'if', 'import', 'in']);

/** A name as Python writes it: `sendBulk` is `send_bulk`. */
export const snake = (name: string): string => {
  const text = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return reserved.has(text) || ['is', 'not', 'or', 'pass', 'raise', 'return', 'try', 'with'].includes(text)
    ? `${text}_`
    : text;
};

/** A parameter of a path as an argument. */
export const idOf = (operation: SdkOperation, parameter: Parameter): string =>
  snake(argumentOf(operation.source, parameter));

/** A value as a literal of Python. */
export const pythonLiteral = (value: unknown): string => {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one)}`,
  );
  return `{${entries.join(', ')}}`;
};

/** A text as a docstring. */
export const docstring = (text: string, indent: string): string => {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  const lines = safe.split('\n').map((line) => `${indent}${line}`.trimEnd());
  const [first = ''] = lines;
  if (lines.length === 1) return `${indent}"""${first.trim().replace(/"$/, '\\"')}"""\n`;
  return `${indent}"""${lines.join('\n').trimStart()}\n${indent}"""\n`;
};
