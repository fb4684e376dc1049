/** In what a panel shows its figures, in Grafana's names. */
export type PanelUnit = 'reqps' | 'ops' | 's' | 'bytes' | 'percentunit' | 'short';

/** One picture. */
export interface Panel {
  title: string;
  /** What it shows and what to make of it. */
  description: string;
  unit: PanelUnit;
  /** What is asked of Prometheus, by the name of the line. */
  lines: Readonly<Record<string, string>>;
  /** One number instead of lines over time. */
  isNumber?: boolean;
  /** From this value on it is shown in red. */
  redFrom?: number;
}

/** A page of panels; rows fold. */
export interface Dashboard {
  /** Name of the file and part of the address. */
  uid: string;
  title: string;
  description: string;
  /** Labels to choose by, with the metric that has all their values. */
  choices?: Readonly<Record<string, string>>;
  rows: Readonly<Record<string, readonly Panel[]>>;
}

const datasource = { type: 'prometheus', uid: 'prometheus' } as const;
const columns = 24;
const sizes = { number: { w: 4, h: 4 }, graph: { w: 8, h: 8 } } as const;

const targetsOf = ({ lines }: Panel) =>
  Object.entries(lines).map(([legendFormat, expr], index) => ({
    refId: String.fromCharCode(65 + index),
    datasource,
    expr,
    legendFormat,
    range: true,
  }));

const thresholdsOf = ({ redFrom }: Panel) => ({
  mode: 'absolute',
  steps: [
    { color: 'green', value: null },
    ...(redFrom === undefined ? [] : [{ color: 'red', value: redFrom }]),
  ],
});

const panelOf = (panel: Panel, id: number, place: { x: number; y: number }) => {
  const { title, description, unit, isNumber = false } = panel;
  return {
    id,
    type: isNumber ? 'stat' : 'timeseries',
    title,
    description,
    datasource,
    gridPos: { ...sizes[isNumber ? 'number' : 'graph'], ...place },
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: thresholdsOf(panel),
        color: { mode: isNumber ? 'thresholds' : 'palette-classic' },
      },
      overrides: [],
    },
    options: isNumber
      ? { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: targetsOf(panel),
  };
};

/** Lays panels out from left to right, in lines. */
const layOut = (panels: readonly Panel[], firstId: number, top: number) => {
  let x = 0;
  let y = top;
  let height = 0;
  const placed = panels.map((panel, index) => {
    const { w, h } = sizes[panel.isNumber ? 'number' : 'graph'];
    if (x + w > columns) {
      x = 0;
      y += height;
      height = 0;
    }
    const made = panelOf(panel, firstId + index, { x, y });
    x += w;
    height = Math.max(height, h);
    return made;
  });
  return { placed, bottom: y + height };
};

const panelsOf = ({ rows }: Dashboard) => {
  let id = 1;
  let y = 0;
  return Object.entries(rows).flatMap(([title, panels]) => {
    const row = {
      id,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: columns, h: 1 },
      panels: [],
    };
    const { placed, bottom } = layOut(panels, id + 1, y + 1);
    id += 1 + panels.length;
    y = bottom;
    return [row, ...placed];
  });
};

const choicesOf = ({ choices = {} }: Dashboard) =>
  Object.entries(choices).map(([name, metric]) => ({
    name,
    type: 'query',
    datasource,
    query: { query: `label_values(${metric}, ${name})`, refId: name },
    refresh: 2,
    includeAll: true,
    multi: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  }));

/** A dashboard as Grafana reads it, a line for each panel, so that a change shows where it is. */
export const dashboardJson = (dashboard: Dashboard): string => {
  const { uid, title, description } = dashboard;
  const head = JSON.stringify({
    uid: `stanza-${uid}`,
    title: `Stanza: ${title}`,
    description,
    tags: ['stanza'],
    schemaVersion: 41,
    editable: false,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    links: [
      {
        type: 'dashboards',
        tags: ['stanza'],
        asDropdown: true,
        title: 'Stanza',
        includeVars: true,
        keepTime: true,
      },
    ],
    templating: { list: choicesOf(dashboard) },
  });
  const panels = panelsOf(dashboard).map((it) => JSON.stringify(it));
  return `${head.slice(0, -1)}, "panels": [\n${panels.join(',\n')}\n]}\n`;
};
