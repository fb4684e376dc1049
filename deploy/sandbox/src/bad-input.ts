import type { z } from 'zod';

/** The refusal of a control call, with one line for each problem. */
export function badInput(what: string, error: z.ZodError): { error: string; message: string } {
  const lines = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return { error: `invalid_${what}`, message: lines.join('; ') };
}
