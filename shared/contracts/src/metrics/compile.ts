import { counter, gauge } from './declare.ts';

const services = ['compile'] as const;

/** Metrics of the compile service. */
export const compileMetrics = {
  programLookups: counter({
    name: 'stanza_program_lookups_total',
    help: 'Lookups of template versions in the program cache',
    labels: { outcome: ['hit', 'miss'] },
    services,
  }),
  programs: gauge({
    name: 'stanza_programs',
    help: 'Template versions in the program cache',
    labels: {},
    services,
  }),
  longRuns: counter({
    name: 'stanza_compile_long_runs_total',
    help: 'Compiles that ran in a thread, because of a long template or much work',
    labels: { reason: ['size', 'work'] },
    services,
  }),
} as const;
