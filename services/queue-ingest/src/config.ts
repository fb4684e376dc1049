import { commonSettings, wholeNumber } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the queue-ingest service. */
export const settings = z.object({
  ...commonSettings,
  STANZA_EVENT_DAYS: wholeNumber(1, 3_650)
    .default(30)
    .describe(
      'Days for which delivered events are kept, and failed and unknown ones after the deletion of their queue',
    ),
});

/** See {@link settings}. */
export type QueueIngestSettings = z.output<typeof settings>;
