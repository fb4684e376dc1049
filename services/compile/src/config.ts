import { processSettings, wholeNumber } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the compile service. */
export const settings = z.object({
  ...processSettings,
  STANZA_PROGRAMS: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe('Max template versions in memory, with their programs'),
  STANZA_PROGRAMS_MB: wholeNumber(1, 100_000)
    .default(128)
    .describe('Estimated max memory for them, in megabytes; each of the threads has 32 more'),
  STANZA_COMPILE_THREADS: wholeNumber(1, 16)
    .default(1)
    .describe(
      'Threads for expensive compiles; each uses up to 256 MB in addition to the memory of the process',
    ),
});

/** See {@link settings}. */
export type CompileSettings = z.output<typeof settings>;
