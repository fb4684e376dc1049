import { streamSettings } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the process that creates the streams. */
export const settings = z.object(streamSettings);
