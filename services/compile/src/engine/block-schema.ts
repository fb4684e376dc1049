import { blockTypes } from './catalogue/blocks.ts';
import { elements } from './catalogue/elements.ts';
import { operators } from './conditions/operators.ts';
import { directives } from './directives/directive.ts';
import { filters } from './filters/call.ts';
import { interactionKinds } from './interactivity/interactive.ts';
import type { JsonObject } from './json.ts';
import { limits } from './limits.ts';
import { describeKinds } from './spec/typed.ts';

/** The reference of the template language, as the API prints it. */
export type BlockSchema = {
  readonly block_types: JsonObject;
  readonly elements: JsonObject;
  readonly directives: JsonObject;
  readonly operators: JsonObject;
  readonly filters: JsonObject;
  readonly placeholder_syntax: JsonObject;
  readonly limits: JsonObject;
  readonly interactivity: { readonly actions: JsonObject; readonly limits: JsonObject };
};

const placeholderSyntax: JsonObject = {
  placeholder: '{{path}}',
  paths: ['order.total', 'items[0].name', 'this', 'this.name', 'item.name (a name bound by `as`)', '../name'],
  loop_values: {
    '@index': 'number of the item, from 0',
    '@number': 'number of the item, from 1',
    '@first': 'whether it is the first shown',
    '@last': 'whether it is the last shown',
    '@count': 'number of items of the list',
  },
  filters: '{{path | filter | filter:"text",2}}',
  literal_braces: '\\{{',
  typed: 'a placeholder alone in a property that is not text keeps its JSON type',
};

/** Prints the tables of the engine: nothing here is written a second time. */
export const blockSchema = (): BlockSchema => {
  const named = Object.entries(limits);
  const isOfInteractivity = ([name]: [string, unknown]): boolean => name.startsWith('interactivity.');
  return {
    block_types: describeKinds(blockTypes),
    elements: describeKinds(elements),
    directives: Object.fromEntries(
      Object.entries(directives).map(([name, { meaning, keys }]) => [name, { meaning, keys }]),
    ),
    operators: Object.fromEntries(
      Object.entries(operators).map(([name, { meaning, takesValue }]) => [
        name,
        { meaning, takes_value: takesValue },
      ]),
    ),
    filters: Object.fromEntries(
      filters.map(({ name, meaning, example, takes }) => [
        name,
        {
          meaning,
          example,
          takes: takes.map((rule) => ({ needs: rule.needs, optional: rule.optional ?? false })),
        },
      ]),
    ),
    placeholder_syntax: placeholderSyntax,
    limits: Object.fromEntries(named.filter((entry) => !isOfInteractivity(entry))),
    interactivity: {
      actions: describeKinds(interactionKinds),
      limits: Object.fromEntries(named.filter(isOfInteractivity)),
    },
  };
};
