import { list } from '../../grammar/list.ts';
import { object, optional, required, type Shape } from '../../grammar/object.ts';
import type { Rule } from '../../grammar/rules.ts';
import { number } from '../../grammar/scalar.ts';
import { text } from '../../grammar/text.ts';
import { type Kinds, typed } from '../../grammar/typed.ts';
import { isList, isObject, type JsonObject } from '../../json.ts';

/** The label of a point, a segment or a series. */
export const label = text('chart.label', 'plain');
const axisTitle = optional(text('chart.axis_title', 'plain'));

const segments = list('chart.segments', {
  item: object('segment', { fields: { label: required(label), value: required(number(0)) } }),
});
const points = list('chart.points', {
  item: object('point', { fields: { label: required(label), value: required(number()) } }),
});
const series = list('chart.series', {
  item: object('series', { fields: { name: required(label), data: required(points) } }),
});

const isRepeated = (entries: readonly unknown[]): boolean => new Set(entries).size < entries.length;
const listAt = (value: JsonObject, key: string): readonly unknown[] => {
  const found = value[key];
  return isList(found) ? found : [];
};
const keyOfEach = (entries: readonly unknown[], key: string): unknown[] =>
  entries.map((entry) => (isObject(entry) ? entry[key] : undefined));

const uniqueCategories: Rule = {
  of: 'value',
  test: (axes) =>
    isRepeated(listAt(axes, 'categories'))
      ? { rule: 'chart.axes', message: 'has a category twice', at: ['categories'] }
      : undefined,
  describe: { unique: 'categories' },
};

const axes = object('axis configuration', {
  fields: {
    categories: required(list('chart.categories', { item: label })),
    x_label: axisTitle,
    y_label: axisTitle,
  },
  rules: [uniqueCategories],
});

const uniqueNames: Rule = {
  of: 'value',
  test: (chart) =>
    isRepeated(keyOfEach(listAt(chart, 'series'), 'name'))
      ? { rule: 'chart.axes', message: 'has two series of one name', at: ['series'] }
      : undefined,
  describe: { unique: 'series/name' },
};

const onePointACategory: Rule = {
  of: 'value',
  test: (chart) => {
    const categories = isObject(chart.axis_config) ? listAt(chart.axis_config, 'categories') : [];
    const odd = listAt(chart, 'series').findIndex((entry) => {
      const labels = isObject(entry) ? keyOfEach(listAt(entry, 'data'), 'label') : [];
      return labels.length !== categories.length || labels.some((it, index) => it !== categories[index]);
    });
    if (odd === -1) return undefined;
    const message = 'has one point for each category in every series, in their order';
    return { rule: 'chart.axes', message, at: ['series', odd, 'data'] };
  },
  describe: { one_point_a_category: 'series/data' },
};

const drawnOnAxes: Shape = {
  fields: { series: required(series), axis_config: required(axes) },
  rules: [uniqueNames, onePointACategory],
};

/** The drawings of a chart by their type. */
export const charts: Kinds = {
  pie: { shape: { fields: { segments: required(segments) } } },
  bar: { shape: drawnOnAxes },
  area: { shape: drawnOnAxes },
  line: { shape: drawnOnAxes },
};

/** A chart with its title, as the platform takes it. */
export const dataVisualizationShape: Shape = {
  fields: {
    title: required(text('chart.title', 'plain')),
    chart: required(typed(() => charts, { what: 'chart', table: 'charts' })),
  },
};
