import { commonSettings } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the template service. */
export const settings = z.object(commonSettings);
