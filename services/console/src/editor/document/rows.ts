import { isList, isObject, type JsonObject } from '../../json.ts';
import { operatorWords } from './condition-words.ts';
import { below } from './pointer.ts';
import { wordsOf } from './words.ts';

/** A block, a loop or a condition as the outline shows it. */
export interface Row {
  /** Into the document. */
  readonly pointer: string;
  readonly value: unknown;
  /** What it is, in a word. */
  readonly title: string;
  /** The beginning of what it says. */
  readonly summary: string;
  readonly groups: readonly Group[];
  /** A part of a block, such as a button, and no block itself. */
  readonly isPart: boolean;
}

/** A list of blocks inside of a block, or its parts. */
export interface Group {
  readonly pointer: string;
  /** Undefined where the list is what the block is for. */
  readonly title?: string | undefined;
  readonly rows: readonly Row[];
  /** They are parts of the block, and are added in its form. */
  readonly areParts?: boolean;
}

const titles: Readonly<Record<string, string>> = {
  '#each': 'Repeat for each',
  '#if': 'If',
  '#block': 'Group',
  '#with': 'With names',
  '#use': 'Partial',
  '#translations': 'Texts in languages',
};

const kindOf = (value: JsonObject): string =>
  value.type === 'directive' ? String(value.directive) : typeof value.type === 'string' ? value.type : '';

/** The partial that an entry stands for, by its key and, in a version, its number. */
const partialIn = ({ type, partial }: JsonObject): string | undefined => {
  if (type !== 'directive' || partial === undefined) return undefined;
  return isObject(partial) ? `${String(partial.key)}, version ${String(partial.version)}` : String(partial);
};

/** What a block is, in a word. */
export const titleOf = (value: unknown): string => {
  if (!isObject(value)) return 'Not a block';
  const kind = partialIn(value) === undefined ? kindOf(value) : '#use';
  return titles[kind] ?? (kind === '' ? 'Block without a type' : wordsOf(kind));
};

const conditionText = (condition: unknown): string => {
  if (!isObject(condition)) return '';
  if (typeof condition.path === 'string') {
    const { path, operator = 'truthy', value } = condition;
    const compared = isList(value)
      ? value.map(String).join(', ')
      : isObject(value)
        ? '…'
        : String(value ?? '');
    if (path === '') return '';
    return `${path} ${operatorWords(String(operator))} ${compared}`.trim();
  }
  const [joint] = ['all', 'any', 'not'].filter((key) => Object.hasOwn(condition, key));
  return joint === undefined ? '' : `${joint} of several conditions`;
};

/** Keys whose text says what a block is about, the best first. */
const sayingKeys = [
  'text',
  'title',
  'label',
  'source',
  'alt_text',
  'name',
  'caption',
  'elements',
  'fields',
  'rows',
];

/** The first text that a value says to people; empty where it says none. */
export const sayingText = (value: unknown, depth = 0): string => {
  if (typeof value === 'string') return value;
  if (depth > 6) return '';
  if (isList(value))
    return value.map((item) => sayingText(item, depth + 1)).find((text) => text !== '') ?? '';
  if (!isObject(value)) return '';
  return (
    sayingKeys
      .filter((key) => Object.hasOwn(value, key))
      .map((key) => sayingText(value[key], depth + 1))
      .find((text) => text !== '') ?? ''
  );
};

const summaryOf = (value: unknown): string => {
  if (!isObject(value)) return '';
  if (value.directive === '#each') return String(value.path ?? '');
  if (value.directive === '#if') return conditionText(value.condition);
  if (value.directive === '#translations' && isObject(value.translations)) {
    return Object.keys(value.translations).join(', ');
  }
  const partial = partialIn(value);
  if (partial !== undefined) return partial;
  return sayingText(value).replaceAll(/\s+/g, ' ').slice(0, 120);
};

const groupTitles: Readonly<Record<string, string | undefined>> = {
  children: undefined,
  child_blocks: undefined,
  else: 'Otherwise',
  empty: 'When the list is empty',
};

const groupKeys = (value: JsonObject): string[] => {
  if (value.type === 'container') return ['child_blocks'];
  // The blocks of a partial are changed in the partial itself.
  if (value.type !== 'directive' || partialIn(value) !== undefined) return [];
  if (value.directive === '#translations') return [];
  const optional = value.directive === '#if' ? ['else'] : value.directive === '#each' ? ['empty'] : [];
  return ['children', ...optional.filter((key) => isList(value[key]))];
};

/** Keys that hold one part, and those that hold a list of them. */
const partKeys: readonly string[] = ['accessory', 'element', 'elements'];

/** Whether a value is a part that has a row of its own. */
const isPart = (value: unknown): boolean =>
  isObject(value) && typeof value.type === 'string' && value.type !== 'directive';

/** Whether a key of a block holds what has rows of its own. */
export const holdsElements = (key: string, value: unknown): boolean =>
  partKeys.includes(key) && (isList(value) ? value.every(isPart) : isPart(value));

const partGroups = (value: JsonObject, pointer: string): Group[] =>
  partKeys.flatMap((key): Group[] => {
    const held = value[key];
    if (value.type === 'directive' || !holdsElements(key, held)) return [];
    const at = below(pointer, key);
    const rows = isList(held)
      ? held.map((one, place) => rowOf(one, below(at, place), true))
      : [rowOf(held, at, true)];
    return rows.length === 0 ? [] : [{ pointer: at, rows, areParts: true }];
  });

const rowOf = (value: unknown, pointer: string, isPart = false): Row => ({
  pointer,
  value,
  title: titleOf(value),
  summary: summaryOf(value),
  isPart,
  groups: isObject(value)
    ? [
        ...groupKeys(value).map((key) => ({
          pointer: below(pointer, key),
          title: groupTitles[key],
          rows: rowsOf(value[key], below(pointer, key)),
        })),
        ...partGroups(value, pointer),
      ]
    : [],
});

/** The rows of a list of blocks. */
export const rowsOf = (blocks: unknown, pointer = '/blocks'): Row[] =>
  isList(blocks) ? blocks.map((value, place) => rowOf(value, below(pointer, place))) : [];

/** Every row, in the order of the screen. */
export const flatRows = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row) => [row, ...row.groups.flatMap((group) => flatRows(group.rows))]);

/** The innermost row that holds the value at a pointer. */
export const rowAround = (rows: readonly Row[], pointer: string): Row | undefined =>
  flatRows(rows)
    .filter((row) => pointer === row.pointer || pointer.startsWith(`${row.pointer}/`))
    .at(-1);

const idOf = (value: unknown): string | undefined => {
  if (!isObject(value)) return undefined;
  return [value.id, value.block_id].find((id) => typeof id === 'string');
};

/** The row that a drawn block comes from, by the id of the block; each loop around it has appended a number. */
export const rowOfDrawn = (rows: readonly Row[], blockId: string): Row | undefined => {
  const row = flatRows(rows).find(({ value }) => idOf(value) === blockId);
  const [, without] = /^(.+)_\d+$/.exec(blockId) ?? [];
  return row ?? (without === undefined ? undefined : rowOfDrawn(rows, without));
};
