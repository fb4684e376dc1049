/** What the service promises to hold, and how it is measured. */
export interface Objective {
  /** Name of the alerts. */
  alert: string;
  /** Part of the names of the recorded ratios. */
  name: string;
  /** The share that may be bad. */
  budget: number;
  summary: string;
  /** The share that was bad within a window. */
  ratio: (window: string) => string;
}

const slowerThan = (histogram: string, labels: string, bound: string) => (window: string) => {
  const good = `sum by (namespace) (rate(${histogram}_bucket{${[labels, `le="${bound}"`].filter(Boolean).join(', ')}}[${window}]))`;
  return `1 - ${good} / sum by (namespace) (rate(${histogram}_count${labels && `{${labels}}`}[${window}]))`;
};

/** All of them. */
export const objectives: readonly Objective[] = [
  {
    alert: 'ApiAvailability',
    name: 'api_availability',
    budget: 0.001,
    summary: 'Too many requests fail with 5xx',
    ratio: (window) =>
      `sum by (namespace) (rate(stanza_http_requests_total{operation!="none", status=~"5.."}[${window}])) / sum by (namespace) (rate(stanza_http_requests_total{operation!="none"}[${window}]))`,
  },
  {
    alert: 'CompileLatency',
    name: 'compile_latency',
    budget: 0.01,
    summary: 'Too many compiles take longer than 250 ms',
    ratio: slowerThan('stanza_http_request_duration_seconds', 'operation="compile-template"', '0.25'),
  },
  {
    alert: 'MessageDelivery',
    name: 'message_delivery',
    budget: 0.005,
    summary: 'Too many messages fail or become unknown, caller errors excluded',
    ratio: (window) =>
      `sum by (namespace) (rate(stanza_messages_total{cause="service"}[${window}])) / sum by (namespace) (rate(stanza_messages_total[${window}]))`,
  },
  {
    alert: 'QueueClosing',
    name: 'queue_closing',
    budget: 0.001,
    summary: 'Too many batches close more than 5 s after their end',
    ratio: slowerThan('stanza_batch_closing_lag_seconds', '', '5'),
  },
];

/** A pair of windows: the long one says that it matters, the short one that it goes on. */
interface Burn {
  factor: number;
  long: string;
  short: string;
}

const burns: Record<'page' | 'ticket', readonly Burn[]> = {
  page: [
    { factor: 14.4, long: '1h', short: '5m' },
    { factor: 6, long: '6h', short: '30m' },
  ],
  ticket: [
    { factor: 3, long: '1d', short: '2h' },
    { factor: 1, long: '3d', short: '6h' },
  ],
};

const windows = [...new Set([...burns.page, ...burns.ticket].flatMap((it) => [it.short, it.long]))];

const recorded = ({ name }: Objective, window: string): string => `stanza:${name}:error_ratio_${window}`;

const kebab = (name: string): string => name.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase();

const rounded = (value: number): number => Number(value.toPrecision(6));

const recordingOf = (objective: Objective): string =>
  windows
    .map(
      (window) => `      - record: ${recorded(objective, window)}
        expr: ${objective.ratio(window)}
`,
    )
    .join('');

const alertOf = (objective: Objective, severity: 'page' | 'ticket'): string => {
  const condition = burns[severity]
    .map(({ factor, long, short }) => {
      const bound = rounded(factor * objective.budget);
      return `(${recorded(objective, long)} > ${bound} and ${recorded(objective, short)} > ${bound})`;
    })
    .join(' or ');
  return `      - alert: ${objective.alert}
        expr: ${condition}
        labels: { severity: ${severity} }
        annotations:
          summary: '${objective.summary}'
          description: 'Currently {{ $value | humanizePercentage }}; the error budget is ${rounded(objective.budget * 100)}%.'
          runbook_url: docs/runbooks/${kebab(objective.alert)}.md
`;
};

/** The rules of all objectives, as Prometheus reads them. */
export const objectiveRules =
  (): string => `# Made from tests/monitoring/objectives.ts by "npm run docs". Each objective covers 30 days: a page fires when the error budget
# burns within hours, a ticket when it burns within days.
groups:
${objectives
  .map(
    (objective) => `  - name: stanza-${objective.name.replaceAll('_', '-')}
    rules:
${recordingOf(objective)}${alertOf(objective, 'page')}${alertOf(objective, 'ticket')}`,
  )
  .join('')}`;
