import { z } from 'zod';
import { inputOf, whole } from '../inputs.ts';
import { tool } from '../tool.ts';
import { isObject } from './read.ts';

/** The language in a few lines, for an agent that has not seen it. */
const overview = [
  'A template is a list of blocks, which are those of the chat platform, with placeholders and directives.',
  'A placeholder stands in any text: {{order.id}}; with filters: {{amount | currency:"EUR"}}, {{name | default:"you"}}.',
  'A directive is a block of its own: {"type":"directive","directive":"#each","path":"items","as":"item","children":[…]},',
  'and "#if" with a condition and children. It repeats or leaves out its children.',
  'Texts in several languages stand in one block, {"type":"directive","directive":"#translations","translations":{"en":{"title":"…"}}}, and are read by {{@t.title}}.',
  'Text of data is escaped. Every limit of the platform is checked; what is too long is cut and warned of.',
];

/** Where a topic stands in the reference. */
const find = (schema: Record<string, unknown>, topic: string): unknown => {
  if (Object.hasOwn(schema, topic)) return schema[topic];
  for (const group of ['block_types', 'elements', 'directives', 'operators', 'filters', 'limits']) {
    const inside = schema[group];
    if (isObject(inside) && Object.hasOwn(inside, topic)) return inside[topic];
    if (Array.isArray(inside)) {
      const named = inside.find((it) => isObject(it) && it.name === topic);
      if (named !== undefined) return named;
    }
  }
  return undefined;
};

const namesIn = (value: unknown): string[] => {
  if (isObject(value)) return Object.keys(value);
  if (!Array.isArray(value)) return [];
  return value.flatMap((it) => (isObject(it) && typeof it.name === 'string' ? [it.name] : []));
};

/** Teaches the template language, a topic at a time. */
export const language = tool({
  name: 'language',
  title: 'The template language',
  description:
    'Tells how blocks are written. Without a topic: an overview and the topics. Topics are a type of block (section), a directive (#each), a filter (currency), an operator, or a group: block_types, elements, directives, operators, filters, placeholder_syntax, positions, limits.',
  scopes: ['templates:read'],
  changes: false,
  input: inputOf({
    topic: z.string().max(60).optional().describe('what to tell of; all topics where it is left out'),
    whole,
  }),
  output: { overview: 'array', topics: 'object', topic: 'any', names: 'array' },
  run: async (stanza, { topic }) => {
    const schema: Record<string, unknown> = await stanza.templates.blockSchema.get();
    const groups = ['block_types', 'directives', 'operators', 'filters'] as const;
    const topics = Object.fromEntries(groups.map((group) => [group, namesIn(schema[group])]));
    if (topic === undefined) {
      return {
        isOurs: true,
        sentence: 'How a template is written, and the topics to ask for.',
        content: { overview, topics },
      };
    }
    const found = find(schema, topic);
    if (found === undefined) {
      return { isOurs: true, sentence: 'There is no such topic; these are all.', content: { topics } };
    }
    return {
      isOurs: true,
      sentence: 'The reference of the topic.',
      content: { topic: found },
      outline: { names: namesIn(found) },
    };
  },
});
