import { blockKinds } from '../../blocks/blocks.ts';
import { charts } from '../../blocks/chart/native-chart.ts';
import { elements } from '../../blocks/elements/elements.ts';
import { richTextKinds } from '../../blocks/rich-text.ts';
import { cells } from '../../blocks/table/native-table.ts';
import { directives } from '../../directives/parse-directive.ts';
import { operators } from '../../expressions/conditions/operators.ts';
import { filters } from '../../expressions/filters/call.ts';
import { filterOrder } from '../../expressions/filters/order.ts';
import { describeShape } from '../../grammar/object.ts';
import type { Kinds } from '../../grammar/typed.ts';
import { comparedOn, type LimitName, limitOf, limits } from '../../limits.ts';
import type { Description, FieldDescription, ShapeDescription } from '../../parse/description.ts';
import { positionRules } from '../../text/positions.ts';

const figure = (value: number): string => value.toLocaleString('en-US');

const range = (limit: LimitName): string => {
  const { min, max } = limitOf(limit);
  return min === undefined ? figure(max) : `${figure(min)}-${figure(max)}`;
};

const boundsOf = (given: Description): string => {
  if (given.kind === 'choice') return given.values.join(' | ');
  if (given.kind === 'variants') {
    const [shape] = Object.values(given.variants);
    return shape?.fields.text === undefined ? '' : boundsOf(shape.fields.text);
  }
  return 'limit' in given && given.limit !== undefined ? range(given.limit) : '';
};

const keyText = ([key, field]: [string, FieldDescription]): string => {
  const bounds = boundsOf(field);
  const name = field.required ? `**${key}**` : key;
  return bounds === '' ? name : `${name} (${bounds})`;
};

const keysText = ({ fields }: ShapeDescription): string =>
  Object.entries(fields)
    .filter(([key]) => key !== 'id' && key !== 'block_id')
    .map(keyText)
    .join(', ');

const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[][]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

const blockRows = (): string[][] =>
  Object.entries(blockKinds).flatMap(([type, { shape, surfaces, boundForm, boundAlone }]) => {
    const where = (surfaces ?? ['message', 'view']).join(', ');
    const native = boundAlone ? [] : [[`\`${type}\``, where, keysText(describeShape(shape))]];
    const bound = boundForm === undefined ? [] : [[`\`${type}\`, data-bound`, where, keysText(boundForm)]];
    return [...native, ...bound];
  });

const kindRows = (kinds: Kinds): string[][] =>
  Object.entries(kinds).map(([type, { shape }]) => [`\`${type}\``, keysText(describeShape(shape))]);

const beyond = { cut: 'cut, with a warning', refused: 'refused', warned: 'a warning' } as const;

const isLimit = (name: string): name is LimitName => Object.hasOwn(limits, name);

const limitRows = (): string[][] =>
  Object.keys(limits)
    .filter(isLimit)
    .map((name) => {
      const { unit, over, source, disputed } = limitOf(name);
      const other = disputed && ` (${figure(disputed.max)} according to ${disputed.source})`;
      const figures = range(name);
      const counted = figures === '1' ? unit.slice(0, -1) : unit;
      return [`\`${name}\``, `${figures} ${counted}${other ?? ''}`, beyond[over], source];
    });

const boundForms = `A table, a chart, a carousel and the options of a select, an overflow menu, checkboxes or radio buttons
may be bound to a list of the data instead of being written out: \`source\` is the path to the list, or to an object whose values are
the items, and one pattern shows each item, which is \`this\` (or the name given by \`as\`).

\`\`\`json
[
  { "type": "table", "source": "order.lines", "max_rows": 20, "overflow_text": "… and {{remaining}} more",
    "columns": [
      { "header": "Item", "value": "{{this.name}}" },
      { "header": "Price", "value": "{{this.price | currency:\\"EUR\\"}}", "align": "right" }
    ] },
  { "type": "chart", "title": "Orders by week", "chart": "bar", "source": "weeks",
    "label": "{{this.week}}", "value": "{{this.orders}}", "y_label": "Orders" },
  { "type": "carousel", "source": "products", "max_items": 10,
    "item": { "type": "card", "title": { "type": "plain_text", "text": "{{this.name}}" } } },
  { "type": "actions", "elements": [
    { "type": "static_select", "options": { "source": "teams",
      "item": { "text": { "type": "plain_text", "text": "{{this.name}}" }, "value": "{{this.id}}" } } } ] }
]
\`\`\`

A chart of several series takes \`series: [{name, value}]\` instead of \`value\`. A cell that comes out empty shows –; in a
\`data_table\` a value that is a number stays one, so that readers can sort by it (\`align\` has no effect there).`;

const paths = `| path | reads |
| --- | --- |
| \`order.total\`, \`items[0].name\` | a key, an item of a list by its number from 0 |
| \`labels["app.kubernetes.io/name"]\`, \`row['First Name']\` | a key with other characters than letters, digits, \`_\`, \`$\` and \`-\`. Between the quotes \`\\"\`, \`\\\\\` and \`\\n\` stand for a quote, a backslash and a line break |
| \`["First Name"]\` | such a key at the top of the data, also where \`as\` binds the same name |
| \`this\`, \`this.name\`, \`this["First Name"]\`, \`line.name\` | the item of the loop, and what is in it; \`line\` is bound by \`as\` |
| \`../name\`, \`../../name\` | the item of the enclosing loop, or the data around the outermost |
| \`items.length\`, \`name.length\` | the number of items of a list, of characters of a text. An object has a length only as a key of its own |
| \`@t.title\`, in placeholders alone | the text of this key in the language of the run ([Languages](languages.md)) |

The same paths stand in placeholders, \`path\`, \`source\` and conditions. Only keys that the data itself has are read.

A loop goes over a list, or over the values of an object: in the order of its keys, whole numbers first by size and then the others as the data has them. \`@index\`, \`@number\`, \`@first\`, \`@last\` and
\`@count\` are known in both; \`@key\` is the key of the value, and in a list the number of the item from 0 as text. So a loop over labels is:

\`\`\`json
{ "type": "directive", "directive": "#each", "path": "labels", "as": "label", "max_items": 10, "overflow_text": "… and {{remaining}} more",
  "children": [{ "type": "section", "text": { "type": "mrkdwn", "text": "*{{@key}}*: {{label}}" } }] }
\`\`\`

A date is ISO 8601 (\`2026-11-26\`, \`2026-11-26T20:50:00Z\`, \`2026-11-26 20:50:00+02\`, \`2026-11-26 20:50:00 UTC\`; UTC where no zone stands), or a number since 1970, also as text of nine digits or more: below
10¹¹ it means seconds, below 10¹⁴ milliseconds, below 10¹⁷ microseconds, below 10²⁰ nanoseconds.`;

const comparing = `\`gt\`, \`gte\`, \`lt\` and \`lte\` compare two numbers by size (also where they are written as text), two dates in any form by time, and texts that are no dates by their
characters. A missing value makes the condition false. So do values that cannot be compared, like a number or a date with a text that is none: the run warns with the paths and what they are. \`eq\`, \`ne\`, \`in\` and \`not_in\` take the value as it is.`;

/**
 * The page of the documentation that lists what templates are made of, from the tables that the engine parses by.
 * @param recipes links to the page for people who do one thing with a value, which stand before the tables
 */
export const templatePage = (recipes: string): string => `# Templates: blocks, elements, filters, limits

Made by \`npm run docs\` from the engine’s own tables; \`GET /v1/templates/block-schema\` prints the same, and as JSON Schema.
Keys in bold are required; figures in brackets are limits. Text over its limit is cut with …; ids, addresses, values that a
machine reads back and counts over theirs are refused.
The tables were compared with the documentation of the chat platform on ${comparedOn}; [what the platform adds later](platform.md) passes with a warning. Every block takes \`id\` (or \`block_id\`), which is filled in where it is left out.

A new template often begins as a copy: \`POST /v1/templates/{id}/duplicate\` (\`duplicate-template\`) copies a template with the content
of its live version under a new name, as a draft.

## What one does with values

Each of these [recipes](recipes.md) has a template, its data and a picture of the message:

${recipes}

## Blocks

${table(['type', 'where', 'keys'], blockRows())}

The platform lets no app post a \`file\` block.

## Lists of the data

${boundForms}

## Elements

${table(['type', 'keys'], kindRows(elements))}

## Inside rich text, tables and charts

${table(['type', 'keys'], [...kindRows(richTextKinds), ...kindRows(cells), ...kindRows(charts)])}

## Directives

A directive is an entry of any list: \`{"type": "directive", "directive": "#each", …}\`.

${table(
  ['directive', 'does', 'keys'],
  Object.entries(directives).map(([name, { meaning, keys }]) => [
    `\`${name}\``,
    meaning,
    Object.entries(keys)
      .map(([key, { required, meaning: what }]) => `${required ? `**${key}**` : key}: ${what}`)
      .join('; '),
  ]),
)}

## Paths and values

${paths}

## Operators of conditions

${comparing}

${table(
  ['operator', 'holds when the value is', 'compares'],
  Object.entries(operators).map(([name, { meaning, takesValue, takesList }]) => [
    `\`${name}\``,
    meaning,
    takesList ? 'with a list' : takesValue ? 'with `value`' : '',
  ]),
)}

## Filters

${table(
  ['filter', 'makes', 'takes', 'example'],
  filters.map(({ name, meaning, takes, example }) => [
    `\`${name}\``,
    meaning,
    takes.map(({ needs, optional }) => (optional ? `${needs} (may be left out)` : needs)).join(', then '),
    `\`${example}\``,
  ]),
)}

### Filters behind each other

A filter works on what stands before it. A value of the data is escaped; the words that the template gives \`default\`, \`join\` and
\`plural\` are the template’s own text. In a mrkdwn text, without a value where none is named (a zero-width space stands as ␣):

${table(
  ['written', 'value', 'makes', 'because'],
  filterOrder.map(({ written, value, makes, because }) => [
    `\`${written}\``,
    value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``,
    makes.includes('`') ? `\`\` ${makes} \`\`` : `\`${makes.replaceAll('\u200B', '␣')}\``,
    because,
  ]),
)}

## Values in texts

The text of a template stays as it is written. A value is shown as it is, whatever it holds, and is shortened where the text is too
long: a limit counts characters after escaping, and several long values share the room. The place of a value decides the rest.
\`styled\` lets bold, italic, code and lists of a value work, \`raw\` every mark. The marks of a styled value work with each other alone:
what it leaves open is closed, and what would end a style of the template stands there as it is.

${table(
  ['place', 'where', 'written', 'over the limit'],
  Object.entries(positionRules).map(([name, { where, escaped, over_limit: over }]) => [
    `\`${name}\``,
    where,
    escaped,
    over,
  ]),
)}

## Limits

${table(['limit', 'figure', 'beyond it', 'source'], limitRows())}
`;
