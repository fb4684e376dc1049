import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, list, listIn, number, object, type Rule, type Shape, text, typed } from './checks.ts';
import { maxOf } from './table.ts';

/** Segments or series of a chart; of two readings of the platform's page the smaller. */
const SERIES_MAX = maxOf('chart.series');
const POINTS_MAX = maxOf('chart.points');
const label = text({ max: maxOf('chart.label') });
const axisTitle = text({ max: maxOf('chart.axis_title') });

const segment = object({ required: { label, value: number(0) } });
const point = object({ required: { label, value: number() } });
const series = object({ required: { name: label, data: list(point, 1, POINTS_MAX) } });
const axes = object({
  required: { categories: list(label, 1, POINTS_MAX) },
  optional: { x_label: axisTitle, y_label: axisTitle },
  rules: [
    (axis, pointer, report) => {
      const categories = listIn(axis, 'categories');
      if (new Set(categories).size < categories.length)
        report(`${pointer}/categories`, 'items must be unique');
    },
  ],
});

const namesAreUnique: Rule = (chart, pointer, report) => {
  const names = listIn(chart, 'series').map((entry) => (isJsonObject(entry) ? entry.name : undefined));
  if (new Set(names).size < names.length) report(`${pointer}/series`, 'names must be unique');
};

const onePointACategory: Rule = (chart, pointer, report) => {
  const categories = isJsonObject(chart.axis_config) ? listIn(chart.axis_config, 'categories') : [];
  listIn(chart, 'series').forEach((entry, index) => {
    if (!isJsonObject(entry)) return;
    const labels = listIn(entry, 'data').map((value) => (isJsonObject(value) ? value.label : undefined));
    if (!isDeepStrictEqual(labels, categories)) {
      report(`${pointer}/series/${index}/data`, 'must have one value for each category, in their order');
    }
  });
};

const drawnOnAxes: Shape = {
  required: { series: list(series, 1, SERIES_MAX), axis_config: axes },
  rules: [namesAreUnique, onePointACategory],
};

/** A chart with its title. */
export const dataVisualizationShape: Shape = {
  required: {
    title: text({ max: maxOf('chart.title') }),
    chart: typed({
      pie: { required: { segments: list(segment, 1, SERIES_MAX) } },
      bar: drawnOnAxes,
      area: drawnOnAxes,
      line: drawnOnAxes,
    }),
  },
};
