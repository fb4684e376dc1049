import { counter, gauge } from './declare.ts';

const services = ['compile'] as const;

/** What the compile service tells of the template versions that it keeps. */
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
