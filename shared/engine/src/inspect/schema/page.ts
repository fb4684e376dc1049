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
/** The text of notifications is a summary where the template writes none: that it is short is no news. */
const beyondOf: { readonly [Name in LimitName]?: string } = {
  'message.text': 'cut, with a warning if it is the `fallback_text` of the template',
};

const isLimit = (name: string): name is LimitName => Object.hasOwn(limits, name);

const limitRows = (): string[][] =>
  Object.keys(limits)
    .filter(isLimit)
    .map((name) => {
      const { unit, over, source, disputed } = limitOf(name);
      const other = disputed && ` (${figure(disputed.max)} according to ${disputed.source})`;
      const figures = range(name);
      const counted = figures === '1' ? unit.slice(0, -1) : unit;
      return [`\`${name}\``, `${figures} ${counted}${other ?? ''}`, beyondOf[name] ?? beyond[over], source];
    });

const boundForms = `You can bind a table, a chart, a carousel, or the options of a select, an overflow menu, checkboxes or radio buttons
to a list in the data. \`source\` is the path to the list, or to an object whose values are
the items. One pattern renders each item, which is available as \`this\` (or under the name given by \`as\`).

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

A chart with several series takes \`series: [{name, value}]\` instead of \`value\`. An empty cell shows –. In a
\`data_table\`, numeric values stay numbers, so readers can sort by them (\`align\` has no effect there).`;

const paths = `| path | reads |
| --- | --- |
| \`order.total\`, \`items[0].name\` | a key, or a list item by its index from 0 |
| \`labels["app.kubernetes.io/name"]\`, \`row['First Name']\` | a key with characters other than letters, digits, \`_\`, \`$\` and \`-\`. Between the quotes, \`\\"\`, \`\\\\\` and \`\\n\` mean a quote, a backslash and a line break |
| \`["First Name"]\` | such a key at the top level of the data, even if \`as\` binds the same name |
| \`this\`, \`this.name\`, \`this["First Name"]\`, \`line.name\` | the loop item and its contents; \`as\` binds \`line\` |
| \`../name\`, \`../../name\` | the item of the enclosing loop, or the data outside the outermost loop |
| \`items.length\`, \`name.length\` | the number of items in a list, or of characters in a text. An object has a length only if it has a key with that name |
| \`@t.title\`, only in placeholders | the text of this key in the language of the run ([Languages](languages.md)) |

Placeholders, \`path\`, \`source\` and conditions use the same paths. Paths read only the data's own keys.

A loop iterates over a list or over the values of an object. Object values follow the order of their keys: integers first in ascending order, then the others in the order of the data. \`@index\`, \`@number\`, \`@first\`, \`@last\` and
\`@count\` are available in both. \`@key\` is the key of the value; in a list it is the item's index from 0 as text. This loop iterates over labels:

\`\`\`json
{ "type": "directive", "directive": "#each", "path": "labels", "as": "label", "max_items": 10, "overflow_text": "… and {{remaining}} more",
  "children": [{ "type": "section", "text": { "type": "mrkdwn", "text": "*{{@key}}*: {{label}}" } }] }
\`\`\`

A date is ISO 8601 (\`2026-11-26\`, \`2026-11-26T20:50:00Z\`, \`2026-11-26 20:50:00+02\`, \`2026-11-26 20:50:00 UTC\`, \`2026-11-26T20:50:00+01:00[Europe/Berlin]\`; without a zone, UTC). It can also be a number since 1970, or a text of nine or more digits: below
10¹¹ it means seconds, below 10¹⁴ milliseconds, below 10¹⁷ microseconds, below 10²⁰ nanoseconds. \`timestamp\` of a \`date\` and \`initial_date_time\` take a value in each of these forms that has a time.`;

const comparing = `\`gt\`, \`gte\`, \`lt\` and \`lte\` compare numbers by size (even if written as text), dates in any form by time, and other texts by their
characters. A missing value makes the condition false. So do values that cannot be compared, such as a number or a date with any other text; the run then gives a warning with the paths and their types. \`eq\`, \`ne\`, \`in\` and \`not_in\` compare values without conversion.`;

/**
 * The page of the documentation that lists what templates are made of, from the tables that the engine parses by.
 * @param recipes links to the page for people who do one thing with a value, which stand before the tables
 */
export const templatePage = (recipes: string): string => `# Templates: blocks, elements, filters, limits

This page is generated by \`npm run docs\` from the engine’s own tables; \`GET /v1/templates/block-schema\` returns the same tables, also as JSON Schema.
Keys in bold are required; figures in brackets are limits. Text over its limit is cut with …. Ids, addresses, machine-readable
values and item counts over their limit are refused.
The tables were compared with the documentation of the chat platform on ${comparedOn}; [later additions of the platform](platform.md) pass with a warning. Every block takes \`id\` (or \`block_id\`); the engine generates a missing one.

To start a new template from an existing one, use \`POST /v1/templates/{id}/duplicate\` (\`duplicate-template\`). It copies a template with the content
of its live version under a new name, as a draft.

## Common tasks with values

Each of these [recipes](recipes.md) has a template, its data and a picture of the message:

${recipes}

## Blocks

${table(['type', 'where', 'keys'], blockRows())}

The platform does not allow apps to post a \`file\` block.

## Lists of the data

${boundForms}

## Elements

${table(['type', 'keys'], kindRows(elements))}

An element is left out, with a warning, if \`confirm\`, \`visible_to_user_ids\`, \`filetypes\` or a part of \`filter\` comes out empty. Without them more would be possible than the template allows.

## Inside rich text, tables and charts

${table(['type', 'keys'], [...kindRows(richTextKinds), ...kindRows(cells), ...kindRows(charts)])}

## Directives

A directive can be an entry of any list: \`{"type": "directive", "directive": "#each", …}\`.

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
  ['operator', 'true if the value is', 'compares'],
  Object.entries(operators).map(([name, { meaning, takesValue, takesList }]) => [
    `\`${name}\``,
    meaning,
    takesList ? 'with a list' : takesValue ? 'with `value`' : '',
  ]),
)}

## Filters

${table(
  ['filter', 'result', 'argument', 'example'],
  filters.map(({ name, meaning, takes, example }) => [
    `\`${name}\``,
    meaning,
    takes.map(({ needs, optional }) => (optional ? `${needs} (optional)` : needs)).join(', then '),
    `\`${example}\``,
  ]),
)}

### Filters behind each other

A filter works on the result of the expression before it. Data values are escaped. The words that a template passes to \`default\`, \`join\` and
\`plural\` are its own text. These examples are in a mrkdwn text; an empty value cell means no value, and ␣ marks a zero-width space:

${table(
  ['expression', 'value', 'result', 'reason'],
  filterOrder.map(({ written, value, makes, because }) => [
    `\`${written}\``,
    value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``,
    makes.includes('`') ? `\`\` ${makes} \`\`` : `\`${makes.replaceAll('\u200B', '␣')}\``,
    because,
  ]),
)}

## Values in texts

The text of a template is kept as written. A value is shown literally, regardless of its content, and is shortened if the text is too
long. Limits count characters after escaping, and several long values share the available space. The rest depends on the position of the value.
With \`styled\`, bold, italic, code and lists in a value take effect; with \`raw\`, all markup does. Markup in a styled value is self-contained:
unclosed styles are closed, and a mark that would end a style of the template is shown literally. A writing direction that a value begins
(U+202A to U+202E, U+2066 to U+2069) ends with its line, and a value cannot end one of the template. In an address these marks become %XX.
In a markdown block with values, a backtick of the template that begins no code gets a backslash, and so does a ( behind ] that a value could make an address of.
In a row of a table, marks work within a cell.

${table(
  ['position', 'where', 'escaping', 'over the limit'],
  Object.entries(positionRules).map(([name, { where, escaped, over_limit: over }]) => [
    `\`${name}\``,
    where,
    escaped,
    over,
  ]),
)}

## Limits

${table(['limit', 'value', 'if exceeded', 'source'], limitRows())}
`;
