import { counter, gauge } from './declare.ts';

const services = ['compile'] as const;

/** Metrics of the compile service's program cache. */
export const compileMetrics = {
  programLookups: counter({
    name: 'stanza_program_lookups_total',
    help: 'Lookups of parsed template versions',
    labels: { outcome: ['hit', 'miss'] },
    services,
  }),
  programs: gauge({
    name: 'stanza_programs',
    help: 'Parsed template versions kept',
    labels: {},
    services,
  }),
} as const;
