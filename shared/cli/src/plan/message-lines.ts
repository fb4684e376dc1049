import { isObject, type JsonObject } from '../files/canonical.ts';

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return isObject(value) && typeof value.text === 'string' ? value.text : '';
};

/** Keys whose texts a reader of the message sees, in the order of reading. */
const seen = [
  'title',
  'subtitle',
  'label',
  'text',
  'body',
  'alt_text',
  'fields',
  'elements',
  'child_blocks',
  'rows',
  'accessory',
  'element',
  'options',
  'actions',
  'tasks',
  'details',
  'caption',
  'placeholder',
];

const inline = new Set(['rich_text_section', 'rich_text_quote', 'rich_text_preformatted']);

/** What a list of runs of text says in one line. */
const runsOf = (elements: unknown): string =>
  Array.isArray(elements)
    ? elements
        .map((it) => {
          const { text, name, user_id: user, channel_id: channel, url } = Object(it);
          return String(
            text ?? (name && `:${name}:`) ?? (user && `@${user}`) ?? (channel && `#${channel}`) ?? url ?? '',
          );
        })
        .join('')
    : '';

const linesOfList = (value: readonly unknown[], key: string): string[] => {
  if (key === 'rows')
    return value.map((row) =>
      Array.isArray(row) ? row.map((cell) => linesOf(cell).join(' ')).join(' | ') : '',
    );
  return value.flatMap((one) => linesOf(one));
};

const linesOf = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' ? [] : value.split('\n');
  if (!isObject(value)) return [];
  const { type } = value;
  if (type === 'divider') return ['---'];
  if (typeof type === 'string' && inline.has(type)) return runsOf(value.elements).split('\n');
  if (type === 'button') return [`[${textOf(value.text)}]`];
  if (type === 'image') return [`(image: ${textOf(value.alt_text)})`];
  const lines = seen.flatMap((key) => {
    const inner = value[key];
    return Array.isArray(inner) ? linesOfList(inner, key) : linesOf(inner);
  });
  return type === 'header' ? lines.map((line) => `# ${line}`) : lines;
};

/** What a reader of a message sees, as lines of text. */
export const messageLines = (blocks: readonly JsonObject[]): string[] => blocks.flatMap(linesOf);
