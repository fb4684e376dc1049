import { checkKeys } from '../../grammar/keys.ts';
import { parseNative } from '../../grammar/native-form.ts';
import { choice, number } from '../../grammar/scalar.ts';
import {
  checkReadsItem,
  evaluate,
  parseSource,
  pinnedAt,
  type Source,
  sourceForm,
} from '../../grammar/source.ts';
import { text } from '../../grammar/text.ts';
import type { Kind } from '../../grammar/typed.ts';
import { isList, isObject, type JsonObject, only, without } from '../../json.ts';
import { type LimitName, limitOf } from '../../limits.ts';
import type { ShapeDescription } from '../../parse/description.ts';
import { made, type Node } from '../../parse/node.ts';
import {
  contextIn,
  overLimit,
  type ParseContext,
  report,
  reportType,
  underLimit,
} from '../../parse/parse-context.ts';
import { gatherFitting } from '../../run/leave-out.ts';
import { type Emit, noteProblem, type Run, spendOutput, warn } from '../../run/run.ts';
import { codePoints, cutText } from '../../text/cut.ts';
import type { Composed } from '../../text/together.ts';
import { charts, dataVisualizationShape, label as labelText } from './native-chart.ts';

/** The keys of a chart that a `source` draws. */
const patternKeys = ['chart', 'source', 'as', 'label', 'value', 'series', 'x_label', 'y_label', 'max_items'];

const drawing = choice(...Object.keys(charts));
const axisTitle = text('chart.axis_title', 'plain');
const numeral = number();
const itemLabel = text('chart.label', 'plain', { together: 'labels' });

/** One line, area or set of bars. */
interface Series {
  /** None where the chart has one series alone, which is named after the chart. */
  readonly name: Node | undefined;
  readonly value: Node;
}

const parseItemValue = (given: unknown, grammar: typeof numeral, at: ParseContext): Node | undefined => {
  const reads = checkReadsItem(given, at);
  const node = grammar.parse(given, at);
  return reads ? node : undefined;
};

const parseSeries = (value: unknown, context: ParseContext, source: Source): Series | undefined => {
  if (!isObject(value)) return reportType(context, 'a series', value);
  const sound = checkKeys(value, { required: ['name', 'value'], optional: [] }, 'series', context);
  const inside = contextIn({ ...source.inside, pointer: context.pointer }, 'value');
  const name = value.name === undefined ? undefined : labelText.parse(value.name, contextIn(context, 'name'));
  const node = value.value === undefined ? undefined : parseItemValue(value.value, numeral, inside);
  return sound && name !== undefined && node !== undefined ? { name, value: node } : undefined;
};

const parseManySeries = (given: unknown, context: ParseContext, source: Source): Series[] | undefined => {
  if (!isList(given)) return reportType(context, 'a list of series', given);
  const { max } = limitOf('chart.series');
  if (given.length > max)
    context.parsing.problems.add(overLimit(context.pointer, 'chart.series', given.length));
  if (given.length === 0) context.parsing.problems.add(underLimit(context.pointer, 'chart.series', 0));
  const parsed = given
    .slice(0, 4 * max)
    .map((it, index) => parseSeries(it, contextIn(context, index), source));
  const sound = parsed.filter((it) => it !== undefined);
  return sound.length === given.length ? sound : undefined;
};

const parseValues = (value: JsonObject, context: ParseContext, source: Source): Series[] | undefined => {
  const { value: one, series: many, chart } = value;
  if ((one === undefined) === (many === undefined)) {
    return report(context, 'key.one_of', 'A chart block needs `value`, or `series` for several of them.');
  }
  if (many === undefined) {
    const node = parseItemValue(one, numeral, contextIn(source.inside, 'value'));
    return node && [{ name: undefined, value: node }];
  }
  if (chart === 'pie') {
    return report(
      contextIn(context, 'series'),
      'key.one_of',
      'A pie has one `value` for each item, no `series`.',
    );
  }
  return parseManySeries(many, contextIn(context, 'series'), source);
};

/** An item of the list as the chart shows it. */
interface Point {
  readonly label: string;
  /** Writes the label with its values shortened to a number of characters in all; none where it has no values. */
  readonly refit: Composed['refit'];
  readonly values: readonly number[];
}

const pointEmitter =
  (label: Node, series: readonly Series[], isPie: boolean, pointer: string): Emit =>
  (run, out) => {
    const name = evaluate(label, run);
    const refit = run.together?.labels?.pop()?.refit;
    const values = series.map(({ value }) => evaluate(value, run)).filter((it) => typeof it === 'number');
    spendOutput(run, 1 + values.length, 0);
    const item = (run.frame?.index ?? 0) + 1;
    if (typeof name !== 'string' || values.length < series.length) {
      warn(
        run,
        'empty.dropped',
        pointer,
        `item ${item} is left out of the chart: it has no label or no value.`,
      );
    } else if (isPie && values.some((it) => it <= 0)) {
      warn(run, 'empty.dropped', pointer, `item ${item} is left out of the pie: its value is not above 0.`);
    } else {
      out.push({ label: name, refit, values } satisfies Point);
    }
  };

const isPoint = (value: unknown): value is Point => isObject(value) && isList(value.values);

/** Labels that tell points or series apart: the platform refuses duplicates. The number takes its room from the values. */
const uniqueLabels = (labelled: readonly Pick<Point, 'label' | 'refit'>[]): string[] => {
  const seen = new Set<string>();
  const { max } = limitOf('chart.label');
  return labelled.map(({ label, refit }) => {
    let unique = label;
    for (let count = 2; seen.has(unique); count += 1) {
      const suffix = ` ${count}`;
      const room = max - codePoints(suffix);
      unique = `${cutText(codePoints(label) > room ? (refit?.(room) ?? label) : label, room, 'plain')}${suffix}`;
    }
    seen.add(unique);
    return unique;
  });
};

interface Drawing {
  readonly type: Node;
  readonly label: Node;
  readonly series: readonly Series[];
  readonly axes: Readonly<Record<'x_label' | 'y_label', Node | undefined>>;
  readonly source: Source;
  readonly isPie: boolean;
}

const gatherPoints = ({ label, series, source, isPie }: Drawing) => {
  const emit = source.emitAll(pointEmitter(label, series, isPie, source.pointer));
  const limit: LimitName = isPie ? 'chart.segments' : 'chart.points';
  return (run: Run): Point[] => {
    if (run.leavesOut) {
      return gatherFitting(run, limit, source.pointer, (out) => emit(run, out)).filter(isPoint);
    }
    const out: unknown[] = [];
    emit(run, out);
    const { max } = limitOf(limit);
    if (out.length > max) noteProblem(run, overLimit(source.pointer, limit, out.length));
    return out.slice(0, max).filter(isPoint);
  };
};

const pairsOf = (labels: readonly string[], points: readonly Point[], index: number) =>
  points.map(({ values }, at) => ({ label: labels[at] ?? '', value: values[index] ?? 0 }));

/** The chart as the platform takes it; undefined where the list has nothing to show. */
const drawer = (drawing: Drawing): Node => {
  const points = gatherPoints(drawing);
  const { type, series, axes, isPie } = drawing;
  return made((run) => {
    const shown = points(run);
    const names = series.map(({ name }, index) =>
      name === undefined ? '' : String(evaluate(name, run) ?? index + 1),
    );
    if (shown.length === 0) return undefined;
    const labels = uniqueLabels(shown);
    spendOutput(run, 4 + shown.length * (1 + series.length), shown.length * 40);
    if (isPie) return { type: 'pie', segments: pairsOf(labels, shown, 0) };
    const titles = Object.entries(axes).map(([key, node]) => [key, node && evaluate(node, run)]);
    return {
      type: evaluate(type, run),
      series: uniqueLabels(names.map((label) => ({ label, refit: undefined }))).map((name, index) => ({
        name,
        data: pairsOf(labels, shown, index),
      })),
      axis_config: { categories: labels, ...Object.fromEntries(titles.filter(([, title]) => title)) },
    };
  });
};

const parseDrawing = (value: JsonObject, context: ParseContext): Drawing | undefined => {
  const at = (key: string) => contextIn(context, key);
  const { chart, label: given, x_label: x, y_label: y } = value;
  const type = chart === undefined ? undefined : drawing.parse(chart, at('chart'));
  const axes = {
    x_label: x === undefined ? undefined : axisTitle.parse(x, at('x_label')),
    y_label: y === undefined ? undefined : axisTitle.parse(y, at('y_label')),
  };
  const limit: LimitName = chart === 'pie' ? 'chart.segments' : 'chart.points';
  const source = parseSource(value, 'max_items', context, { limit });
  if (source === undefined) return undefined;
  const label =
    given === undefined ? undefined : parseItemValue(given, itemLabel, pinnedAt(source.inside, 'label'));
  const series = parseValues(value, context, source);
  if (type !== undefined && !type.fixed) {
    return report(at('chart'), 'placeholder.place', 'The template says what is drawn; data cannot.');
  }
  if (type === undefined || label === undefined || series === undefined) return undefined;
  return { type, label, series, axes, source, isPie: chart === 'pie' };
};

const keys = { required: ['chart', 'source', 'label'], optional: patternKeys };

/** Names a single series after what it measures: the axis, else the chart. */
const withName = (block: JsonObject): JsonObject => {
  const { chart, title } = block;
  if (!isObject(chart) || !isList(chart.series)) return block;
  const [first] = chart.series;
  if (!isObject(first) || first.name !== '') return block;
  const axis = isObject(chart.axis_config) ? chart.axis_config.y_label : undefined;
  const name = cutText(String(axis ?? title), limitOf('chart.label').max, 'plain');
  return { ...block, chart: { ...chart, series: [{ ...first, name }] } };
};

const axis = { kind: 'text', limit: 'chart.axis_title', escaped: false, required: false } as const;
const itemNumber = { kind: 'item_text', limit: 'chart.label' } as const;

const boundForm: ShapeDescription = {
  fields: {
    title: { kind: 'text', limit: 'chart.title', escaped: false, required: true },
    chart: { kind: 'choice', values: Object.keys(charts), written: true, required: true },
    ...sourceForm('max_items'),
    label: { kind: 'item_text', limit: 'chart.label', required: true },
    value: { ...itemNumber, required: false },
    series: {
      kind: 'plain_list',
      limit: 'chart.series',
      of: {
        kind: 'object',
        fields: {
          name: { kind: 'text', limit: 'chart.label', escaped: false, required: true },
          value: { ...itemNumber, required: true },
        },
      },
      required: false,
    },
    x_label: axis,
    y_label: axis,
  },
  rules: [{ exactly_one_of: ['value', 'series'] }],
};

/** A chart of a list of the data: it compiles to `data_visualization`. */
export const boundChart: Kind = {
  shape: dataVisualizationShape,
  surfaces: ['message'],
  boundForm,
  boundAlone: true,
  around: (value, context) => {
    const sound = checkKeys(only(value, patternKeys), keys, 'chart block', context);
    const drawn = parseDrawing(value, context);
    const { chart: _, ...fields } = dataVisualizationShape.fields;
    const node = parseNative(
      without(value, patternKeys),
      {
        type: 'data_visualization',
        shape: { fields },
        patternKeys,
        nodes: { chart: drawn && drawer(drawn) },
      },
      'chart block',
      context,
    );
    if (node === undefined || drawn === undefined || !sound) return undefined;
    return made((run) => {
      const block = evaluate(node, run);
      return isObject(block) ? withName(block) : undefined;
    });
  },
};
