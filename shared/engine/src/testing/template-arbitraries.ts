import fc from 'fast-check';
import { messageBlocks, viewBlocks } from '../blocks/blocks.ts';
import { catalogue } from '../blocks/catalogue.ts';
import { filters } from '../expressions/filters/call.ts';
import { describeShape } from '../grammar/object.ts';
import { type LimitName, limitOf } from '../limits.ts';
import type { Description, ShapeDescription, TableName } from '../parse/description.ts';
import type { Surface } from '../parse/parse-context.ts';

type Value = fc.Arbitrary<unknown>;

const paths = ['a', 'b.c', 'c[0]', 'list', '__proto__.x', 'gone'];
const filterExamples = filters.map(({ example }) => example.slice(example.lastIndexOf('|'), -2));
const pieces = fc.oneof(
  fc
    .tuple(fc.constantFrom(...paths), fc.constantFrom('', '', ...filterExamples))
    .map(([path, filter]) => `{{${path} ${filter}}}`),
  fc.constantFrom(
    'plain ',
    '<',
    '>',
    '*bold* ',
    '\\{{no}} ',
    '😀',
    '<https://e.com/{{a}}|{{b.c}}> ',
    '<@{{a}}>',
  ),
);
const openText = fc.array(pieces, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const nativeText = fc.constantFrom('x', 'Some *words*', '1 < 2 & more', ':tada: 😀');

/** Texts of a form of their own, by the limit that they are held to. */
const formed: Partial<Record<LimitName, readonly string[]>> = {
  'picker.date': ['2026-11-21', '1999-01-01'],
  'picker.time': ['00:00', '23:59'],
  'picker.timezone': ['Europe/Berlin'],
  'number_input.value': ['-1', '2'],
  'block.block_id': ['x', 'x_0', 'y'],
  'element.action_id': ['go', 'go_0', 'stop'],
  'interactivity.id': ['01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', '{{a}}'],
  'option.value': ['', 'v', 'w'],
  'button.value': ['', 'v', '{"a": 1}'],
  'button.agent_prompt': ['Summarize this.'],
  'workflow_button.parameter': ['', 'v'],
  'task_card.task_id': ['t1', 't2'],
};
const addresses = ['https://example.com/a.png', 'https://example.com/?a=1&b=2'];

/** Rules that only values chosen together keep: one of their keys is left out. */
const keysToLeaveOut = (rules: ShapeDescription['rules'] = []): string[] =>
  rules.flatMap((rule) => {
    const { among_the_options: among, in_order: order, needs, excludes, length_within: length, fits } = rule;
    const [first, last] = [
      [order, needs, excludes],
      [length, fits],
    ];
    return [
      among,
      ...first.map((keys) => (Array.isArray(keys) ? keys[0] : undefined)),
      ...last.map((keys) => (Array.isArray(keys) ? keys.at(-1) : undefined)),
    ].filter((key) => typeof key === 'string');
  });

const choices = (rules: ShapeDescription['rules'] = [], name: string): string[][] =>
  rules.flatMap((rule) => {
    const keys = rule[name];
    return Array.isArray(keys) ? [keys.map(String)] : [];
  });

/** Whether directives and placeholders may stand in what is made. */
interface Mode {
  readonly open: boolean;
  readonly surface: Surface;
}

/** Generates values of a template from the engine’s own catalogue, so that no type is forgotten. */
class TemplateMaker {
  readonly #mode: Mode;
  readonly #known = new Map<string, Value>();

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  /** A list of blocks. */
  blocks(): fc.Arbitrary<unknown[]> {
    const { surface } = this.#mode;
    const list = (surface === 'message' ? messageBlocks : viewBlocks).describe();
    if (list.kind !== 'list' || list.of.kind !== 'one_of')
      throw new Error('blocks are a list of one of a table');
    const block = this.#value(list.of);
    return fc.array(this.#item(block, 2), { minLength: 1, maxLength: 5 });
  }

  /** Those of some types that may stand on the surface. */
  #legal({ table, types }: Extract<Description, { kind: 'one_of' }>): readonly string[] {
    return types.filter((type) => {
      const { surfaces } = catalogue[table][type] ?? {};
      return surfaces === undefined || surfaces.includes(this.#mode.surface);
    });
  }

  /** An entry of a table; made once, and late, since entries hold each other. */
  #entry(table: TableName, type: string): Value {
    const key = `${table}.${type}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = fc.constant(undefined).chain(() => this.#makeEntry(table, type));
    this.#known.set(key, made);
    return made;
  }

  #makeEntry(table: TableName, type: string): Value {
    const kind = catalogue[table][type];
    if (kind === undefined) throw new Error(`no ${table}.${type}`);
    if (table === 'charts') return this.#chart(type);
    const native = describeShape(kind.shape);
    const { boundForm, boundAlone } = kind;
    if (boundForm === undefined || !this.#mode.open) {
      return boundAlone ? this.#entry(table, 'divider') : this.#object(native, type);
    }
    return boundAlone
      ? this.#object(boundForm, type)
      : fc.oneof(this.#object(native, type), this.#object(boundForm, type));
  }

  #object({ fields, rules }: ShapeDescription, type?: string): Value {
    const out = new Set(keysToLeaveOut(rules));
    // `id` is for templates alone, and `block_id` is the same.
    out.add(this.#mode.open ? 'block_id' : 'id').add('interaction');
    const [oneOf = []] = choices(rules, 'exactly_one_of');
    for (const key of oneOf.slice(1)) out.add(key);
    for (const [, second = ''] of choices(rules, 'at_most_one_of')) out.add(second);
    const kept = Object.entries(fields).filter(([key, field]) => field.required || !out.has(key));
    const firsts = [...choices(rules, 'at_least_one_of'), oneOf].flatMap(([first]) => first ?? []);
    const required = kept
      .filter(([key, field]) => field.required || firsts.includes(key))
      .map(([key]) => key);
    const record = fc.record(Object.fromEntries(kept.map(([key, field]) => [key, this.#value(field)])), {
      requiredKeys: required,
    });
    return type === undefined ? record : record.map((value) => ({ type, ...value }));
  }

  /** Now and then a value that is missing, which takes what it belongs to with it. */
  #orMissing(value: Value): Value {
    return this.#mode.open
      ? fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: fc.constant('{{gone}}') })
      : value;
  }

  #exact(limit: LimitName, pattern: string | undefined): Value {
    const known = formed[limit] ?? (limitOf(limit).max >= 2_000 || pattern !== undefined ? addresses : ['x']);
    return fc.constantFrom(...known);
  }

  #value(given: Description): Value {
    switch (given.kind) {
      case 'text':
        return this.#mode.open ? openText : nativeText;
      case 'exact':
        return this.#exact(given.limit, given.pattern);
      case 'id':
        // Only those of a template may be the same: the engine makes them unique.
        return this.#mode.open
          ? fc.constantFrom(...(formed[given.limit] ?? ['x']))
          : fc.nat().map((number) => `id-${number}`);
      case 'boolean':
        // A view sets the cursor into one field, so no flag says yes.
        return this.#orMissing(fc.constant(false));
      case 'choice':
        return given.written
          ? fc.constantFrom(...given.values)
          : this.#orMissing(fc.constantFrom(...given.values));
      case 'integer': {
        const { min = 0, max } = given.limit === undefined ? { min: 1, max: 9 } : limitOf(given.limit);
        return this.#orMissing(fc.integer({ min, max }));
      }
      case 'number':
        return this.#orMissing(fc.integer({ min: 1, max: 99 }));
      case 'list':
        return this.#list(given);
      case 'plain_list':
        return fc.array(this.#value(given.of), { minLength: 1, maxLength: 2 });
      case 'one_of':
        return fc.oneof(...this.#legal(given).map((type) => this.#entry(given.table, type)));
      case 'variants':
        return fc.oneof(...Object.entries(given.variants).map(([type, shape]) => this.#object(shape, type)));
      case 'object':
        return this.#object(given);
      case 'nullable':
        return fc.oneof(fc.constant(null), this.#value(given.of));
      case 'item_text':
        return given.limit === 'chart.label'
          ? fc.constant('{{@number}}')
          : openText.map((it) => `{{this}}${it}`);
      case 'string':
        return fc.constant('U0ADA');
      case 'count':
        return fc.integer({ min: 1, max: 4 });
      case 'path':
        return fc.constant('list');
      case 'name':
        return fc.constantFrom('it', 'row');
      case 'blocks':
      case 'json':
      case 'type':
        return fc.constant([]);
    }
  }

  #list(given: Extract<Description, { kind: 'list' }>): Value {
    const { min = 0, max } = limitOf(given.limit);
    const item = this.#value(given.of);
    // Rows that the template writes are as wide as each other, and their header is plain.
    if (given.limit.endsWith('.cells')) {
      return fc.tuple(this.#entry('cells', 'raw_text'), this.#entry('cells', 'raw_number'));
    }
    const entries = given.whole ? item : this.#item(item, 1);
    const written = fc.array(entries, { minLength: Math.max(1, min), maxLength: Math.min(3, max) });
    if (!given.bound || !this.#mode.open) return written;
    return fc.oneof(
      { weight: 3, arbitrary: written },
      { weight: 1, arbitrary: item.map((one) => ({ source: 'list', item: one, max_items: 4 })) },
    );
  }

  #chart(type: string): Value {
    const label = this.#mode.open ? openText : nativeText;
    if (type === 'pie') {
      const segments = fc.array(fc.record({ label, value: fc.integer({ min: 1, max: 9 }) }), {
        minLength: 1,
        maxLength: 3,
      });
      return segments.map((shown) => ({ type, segments: shown }));
    }
    return fc.tuple(label, label, fc.integer()).map(([category, name, value]) => ({
      type,
      series: [{ name, data: [{ label: category, value }] }],
      axis_config: { categories: [category] },
    }));
  }

  /** An entry of a list, which may be a directive with such entries. */
  #item(entry: Value, depth: number): Value {
    if (!this.#mode.open || depth === 0) return entry;
    const children = fc.array(this.#item(entry, depth - 1), { maxLength: 2 });
    return fc.oneof(
      { weight: 12, arbitrary: entry },
      { weight: 1, arbitrary: eachOf(children) },
      { weight: 1, arbitrary: ifOf(children) },
    );
  }
}

const type = fc.constant('directive');
const eachOf = (children: fc.Arbitrary<unknown[]>): Value =>
  fc.record(
    {
      type,
      directive: fc.constant('#each'),
      path: fc.constantFrom('list', 'gone'),
      children,
      max_items: fc.integer({ min: 1, max: 4 }),
      empty: children,
    },
    { requiredKeys: ['type', 'directive', 'path', 'children'] },
  );
const ifOf = (children: fc.Arbitrary<unknown[]>): Value =>
  fc.record({
    type,
    directive: fc.constant('#if'),
    condition: fc.record({ path: fc.constantFrom('a', 'list', 'gone') }),
    children,
    else: children,
  });

/** The blocks of a message template that parses: every block type, element, filter and directive. */
export const soundTemplate = new TemplateMaker({ open: true, surface: 'message' }).blocks();
/** The blocks of a view that parses. */
export const soundView = new TemplateMaker({ open: true, surface: 'view' }).blocks();
/** Blocks without anything of a template in them. */
export const nativeBlocks = new TemplateMaker({ open: false, surface: 'message' }).blocks();
