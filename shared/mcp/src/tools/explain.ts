import { errorTable } from '@stanza/contracts';
import { z } from 'zod';
import { whole } from '../inputs.ts';
import { tool } from '../tool.ts';

const known: Readonly<Record<string, { status: number; meaning: string; advice: string }>> = errorTable;

/** Tells what an error code means. */
export const explain = tool({
  name: 'explain',
  title: 'Explain an error code',
  description: 'Tells what a code of an error means, and what to do. Without a code: all codes.',
  scopes: [],
  changes: false,
  input: z.object({ code: z.string().max(60).optional(), whole }),
  run: async (_stanza, { code }) => {
    const codes = Object.keys(known);
    if (code === undefined) return { sentence: 'All codes of errors.', content: { codes } };
    const entry = Object.hasOwn(known, code) ? known[code] : undefined;
    if (entry === undefined) return { sentence: 'There is no such code; these are all.', content: { codes } };
    return { sentence: `${entry.meaning} ${entry.advice}`, content: { code, ...entry } };
  },
});
