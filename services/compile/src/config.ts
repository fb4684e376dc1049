import { processSettings } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the compile service. */
export const settings = z.object({
  ...processSettings,
  STANZA_PROGRAMS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe('Max template versions in memory, with their programs'),
  STANZA_PROGRAMS_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(128)
    .describe('Estimated max memory for them, in megabytes'),
  STANZA_COMPILE_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(16)
    .default(1)
    .describe(
      'Threads for expensive compiles; each uses up to 256 MB in addition to the memory of the process',
    ),
});

/** See {@link settings}. */
export type CompileSettings = z.output<typeof settings>;
