import { blockKinds } from '../../blocks/blocks.ts';
import { charts } from '../../blocks/chart/native-chart.ts';
import { elements } from '../../blocks/elements/elements.ts';
import { richTextKinds } from '../../blocks/rich-text.ts';
import { cells, emptyCell } from '../../blocks/table/native-table.ts';
import { directives } from '../../directives/parse-directive.ts';
import { operators } from '../../expressions/conditions/operators.ts';
import { filters } from '../../expressions/filters/call.ts';
import { momentForms } from '../../expressions/filters/moment.ts';
import { describeKinds } from '../../grammar/typed.ts';
import { interactionKinds } from '../../interactions/interactive.ts';
import type { JsonObject } from '../../json.ts';
import { comparedOn, limits } from '../../limits.ts';
import { positionRules } from '../../text/positions.ts';
import { blocksJsonSchema } from './blocks-json-schema.ts';

/** The reference of the template language, as the API prints it. */
export type BlockSchema = {
  /** The day on which the tables were compared with the platform, and what becomes of what is newer. */
  readonly platform: JsonObject & { readonly compared_on: string };
  readonly block_types: JsonObject;
  readonly elements: JsonObject;
  /** Parts and inline elements of rich text. */
  readonly rich_text: JsonObject;
  readonly table_cells: JsonObject;
  readonly charts: JsonObject;
  readonly directives: JsonObject;
  readonly operators: JsonObject;
  readonly filters: JsonObject;
  readonly placeholder_syntax: JsonObject;
  /** Where in a text a value may stand, how it is written there and what a limit does to it. */
  readonly positions: JsonObject;
  readonly limits: JsonObject;
  readonly interactivity: { readonly actions: JsonObject; readonly limits: JsonObject };
  /** The same as JSON Schema 2020-12. */
  readonly json_schema: JsonObject & { readonly $schema: string };
};

const placeholderSyntax: JsonObject = {
  placeholder: '{{path}}',
  paths: ['order.total', 'items[0].name', 'this', 'this.name', 'item.name (a name bound by `as`)', '../name'],
  quoted_keys:
    'a key with other characters than letters, digits, _, $ and - is written in brackets and quotes: labels["app.kubernetes.io/name"], row[\'First Name\'], this["@id"]; \\" \\\\ and \\n stand for a quote, a backslash and a line break. A path that starts so, ["First Name"], starts at the top of the data',
  length:
    'items.length and name.length are the number of items of a list and of characters of a text, also in conditions; an object has it as a key of its own alone',
  dates: `filters and comparisons of dates read ${momentForms.replace('a date: ', '')}; a text of digits has nine or more`,
  comparisons:
    'gt, gte, lt and lte compare two numbers (also as text) by size, two dates in any form by time, and texts that are no dates by their characters; values that cannot be compared make the condition false, with a warning',
  loop_values: {
    '@index': 'number of the item, from 0',
    '@number': 'number of the item, from 1',
    '@first': 'whether it is the first shown',
    '@last': 'whether it is the last shown',
    '@count': 'number of items of the list, or of keys of the object',
    '@key':
      'key of the value in a loop over an object; in a loop over a list the number of the item, from 0, as text',
  },
  texts:
    '{{@t.key}} reads the text of a key in the language of the run from the entry #translations of the blocks; it takes no filters',
  filters: '{{path | filter | filter:"text",2}}',
  literal_braces: '\\{{',
  literals:
    'arguments of filters are texts in "…" or \'…\' (with \\", \\\\ and \\n), numbers, true and false',
  typed: 'a placeholder alone in a property that is not text keeps its JSON type',
  condition:
    '{"path": "…", "operator": "truthy", "value": …}, {"all": […]}, {"any": […]} or {"not": …}; a value may be {"path": "…"}',
  source:
    'a path to a list (or an object, whose values are the items) that `columns`, `label` and `value`, or `item` show, one for each item, which is `this`',
  objects:
    'a loop over an object takes its values in the order of its keys: those that are whole numbers first, by size, then the others as the data has them',
  empty_cell: `a cell of a table that comes out empty shows ${emptyCell.text}`,
};

const platform = {
  compared_on: comparedOn,
  newer:
    'an inline element of rich text, or a key of a block, an element or an object in it, that is not in these tables passes as plain JSON with a warning; a placeholder or a directive inside, a name near a known one, and an unknown type of block, element or cell are refused',
  addresses:
    'values inside an address are percent-encoded behind its host where they hold what no address may hold (spaces, line breaks, < > " \\ ^ ` { | }); all else stays, so that whole addresses in the data pass unchanged',
};

/** Prints the tables of the engine: nothing here is written a second time. */
export const blockSchema = (): BlockSchema => {
  const named = Object.entries(limits);
  const isOfInteractivity = ([name]: [string, unknown]): boolean => name.startsWith('interactivity.');
  return {
    platform,
    block_types: describeKinds(blockKinds),
    elements: describeKinds(elements),
    rich_text: describeKinds(richTextKinds),
    table_cells: describeKinds(cells),
    charts: describeKinds(charts),
    directives: Object.fromEntries(
      Object.entries(directives).map(([name, { meaning, keys }]) => [name, { meaning, keys }]),
    ),
    operators: Object.fromEntries(
      Object.entries(operators).map(([name, { meaning, takesValue, takesList }]) => [
        name,
        { meaning, takes_value: takesValue, ...(takesList && { takes_list: takesList }) },
      ]),
    ),
    filters: Object.fromEntries(
      filters.map(({ name, meaning, example, takes }) => [
        name,
        {
          meaning,
          example,
          arguments: takes.map((rule) => ({ needs: rule.needs, optional: rule.optional ?? false })),
        },
      ]),
    ),
    placeholder_syntax: placeholderSyntax,
    positions: positionRules,
    limits: Object.fromEntries(named.filter((entry) => !isOfInteractivity(entry))),
    interactivity: {
      actions: describeKinds(interactionKinds),
      limits: Object.fromEntries(named.filter(isOfInteractivity)),
    },
    json_schema: blocksJsonSchema(),
  };
};
