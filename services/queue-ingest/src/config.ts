import { commonSettings } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the queue-ingest service. */
export const settings = z.object({
  ...commonSettings,
  STANZA_EVENT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(30)
    .describe(
      'Days for which delivered events are kept; open, failed and unknown ones are kept indefinitely',
    ),
  STANZA_EVENTS_BY_PUSH: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Whether the events of a push are stored as one row, in a tenth of the log. Release 0.1.0 does not read such rows: switch it on once all processes are replaced',
    ),
});

/** See {@link settings}. */
export type QueueIngestSettings = z.output<typeof settings>;
