import type { ViewContext } from '../../context.ts';
import type { AxesChart, Chart, PieChart, Series } from '../../types/blocks.ts';
import { type Child, el, svg } from '../dom.ts';

/** The extent of the values, and the height at which one stands. */
interface Scale {
  readonly high: number;
  readonly low: number;
  readonly y: (value: number) => number;
}

const WIDTH = 560;
const HEIGHT = 200;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 8;

/** Draws a chart with a legend. Each shape carries its value as a title. */
export function drawChart({ title, chart }: Chart, context: ViewContext): HTMLElement {
  const drawing = chart.type === 'pie' ? pie(chart.segments) : axes(chart, context);
  const names =
    chart.type === 'pie' ? chart.segments.map(({ label }) => label) : chart.series.map(({ name }) => name);
  const legend = names.map((name, index) =>
    el('li', {}, el('span', { class: `legend-mark series-${index % 6}`, 'aria-hidden': 'true' }), name),
  );
  return el(
    'figure',
    { class: 'chart-block' },
    el('figcaption', {}, title),
    drawing,
    el('ul', { class: 'legend' }, legend),
  );
}

function titled<S extends SVGElement>(shape: S, text: string): S {
  shape.append(svg('title', {}, text));
  return shape;
}

function pie(segments: PieChart['segments']): SVGElement {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  let from = 0;
  const shapes = segments.map(({ label, value }, index) => {
    const share = value / total;
    // A ring drawn as dashes of a circle whose circumference is 100.
    const ring = svg('circle', {
      class: `ring series-${index % 6}`,
      cx: 21,
      cy: 21,
      r: 15.915_494,
      'stroke-dasharray': `${share * 100} ${100 - share * 100}`,
      'stroke-dashoffset': 25 - from * 100,
    });
    from += share;
    return titled(ring, `${label}: ${value} (${Math.round(share * 100)} %)`);
  });
  return svg(
    'svg',
    { class: 'chart pie', viewBox: '0 0 42 42', role: 'img', 'aria-label': 'Pie chart' },
    shapes,
  );
}

/** Rounds a highest value up to 1, 2, 2.5 or 5 times a power of ten, so that the axis reads well. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5].map((factor) => factor * power).find((step) => step >= value) ?? 10 * power;
}

function scaleOf(series: readonly Series[]): Scale {
  const values = series.flatMap(({ data }) => data.map(({ value }) => value));
  const highest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const high = highest > 0 ? niceCeiling(highest) : 0;
  const low = lowest < 0 ? -niceCeiling(-lowest) : 0;
  const span = high - low || 1;
  return { high, low, y: (value: number) => TOP + ((high - value) / span) * (HEIGHT - TOP - BOTTOM) };
}

function grid({ high, low, y }: Scale, { locale }: ViewContext): Child {
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  return [low, (low + high) / 2, high].map((value) => [
    svg('line', { class: 'grid-line', x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }),
    svg(
      'text',
      { class: 'axis-text', x: LEFT - 8, y: y(value) + 4, 'text-anchor': 'end' },
      short.format(value),
    ),
  ]);
}

function axes({ type, series, axis_config }: AxesChart, context: ViewContext): HTMLElement {
  const { categories, x_label, y_label } = axis_config;
  const scale = scaleOf(series);
  const step = (WIDTH - LEFT) / categories.length;
  const labels = categories.map((category, index) =>
    svg(
      'text',
      { class: 'axis-text', x: LEFT + step * (index + 0.5), y: HEIGHT - 6, 'text-anchor': 'middle' },
      category,
    ),
  );
  const shapes = type === 'bar' ? bars(series, scale, step) : lines(series, scale, step, type === 'area');
  const titles = [y_label, x_label].filter((label) => label !== undefined).join(' by ');
  return el(
    'div',
    {},
    titles === '' ? undefined : el('p', { class: 'faint' }, titles),
    svg(
      'svg',
      { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${type} chart` },
      grid(scale, context),
      labels,
      shapes,
    ),
  );
}

function bars(series: readonly Series[], { y }: Scale, step: number): Child {
  const width = (step * 0.7) / series.length;
  return series.flatMap(({ name, data }, row) =>
    data.map(({ label, value }, column) => {
      const x = LEFT + step * (column + 0.15) + width * row;
      const [top, bottom] = value >= 0 ? [y(value), y(0)] : [y(0), y(value)];
      const bar = svg('rect', {
        class: `bar series-${row % 6}`,
        x,
        y: top,
        width: Math.max(width - 2, 1),
        height: Math.max(bottom - top, 1),
        rx: 3,
      });
      return titled(bar, `${name}, ${label}: ${value}`);
    }),
  );
}

function lines(series: readonly Series[], { y }: Scale, step: number, filled: boolean): Child {
  return series.flatMap(({ name, data }, row) => {
    const points = data.map(({ value }, column) => `${LEFT + step * (column + 0.5)},${y(value)}`);
    const [firstX, lastX] = [LEFT + step / 2, LEFT + step * (data.length - 0.5)];
    const area = svg('polygon', {
      class: `area series-${row % 6}`,
      points: [`${firstX},${y(0)}`, ...points, `${lastX},${y(0)}`].join(' '),
    });
    const line = titled(svg('polyline', { class: `line series-${row % 6}`, points: points.join(' ') }), name);
    const dots = data.map(({ label, value }, column) =>
      titled(
        svg('circle', {
          class: `dot series-${row % 6}`,
          cx: LEFT + step * (column + 0.5),
          cy: y(value),
          r: 3.5,
        }),
        `${name}, ${label}: ${value}`,
      ),
    );
    return filled ? [area, line, ...dots] : [line, ...dots];
  });
}
