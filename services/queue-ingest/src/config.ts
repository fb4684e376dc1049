import { commonSettings } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the queue-ingest service. */
export const settings = z.object(commonSettings);
