import { counter, gauge } from './declare.ts';

const services = ['compile'] as const;

/** Metrics of the compile service. */
export const compileMetrics = {
  programLookups: counter({
    name: 'stanza_program_lookups_total',
    help: 'Lookups of template versions that are kept with their programs',
    labels: { outcome: ['hit', 'miss'] },
    services,
  }),
  programs: gauge({
    name: 'stanza_programs',
    help: 'Template versions kept, with their programs',
    labels: {},
    services,
  }),
  longRuns: counter({
    name: 'stanza_compile_long_runs_total',
    help: 'Work of the engine that was handed to a thread: a long template, or one that asked for much work',
    labels: { reason: ['size', 'work'] },
    services,
  }),
} as const;
