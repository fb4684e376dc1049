import { z } from 'zod';

const settings = z.object({
  /** Address to listen on. */
  STANZA_SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on; 0 is any free one. */
  STANZA_SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
});

/** The sandbox's settings, read from the environment. */
export interface Settings {
  readonly host: string;
  readonly port: number;
}

/** Reads the settings; throws an error that names every bad one. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const result = settings.safeParse(environment);
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`bad settings: ${lines.join('; ')}`);
  }
  return { host: result.data.STANZA_SANDBOX_HOST, port: result.data.STANZA_SANDBOX_PORT };
}
