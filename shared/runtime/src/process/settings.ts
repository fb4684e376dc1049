import { type AddressRange, parseAddressRange } from '@stanza/contracts';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';

const prefix = 'STANZA_';

/** A setting that is a text; as an empty one counts as none, it is never empty. */
export const filledText = z.string().min(1);

/** A setting that is a whole number. */
export const wholeNumber = (min: number, max: number) => {
  const said = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(said).int(said).min(min, said).max(max, said);
};

const brokerAddress = (text: string): boolean => {
  const full = text.includes('://') ? text : `nats://${text}`;
  return /^(nats|tls):\/\/[^/]/.test(full) && URL.canParse(full);
};

const natsUrl = z
  .string()
  .refine(
    (text) => text.split(',').every((it) => brokerAddress(it.trim())),
    'must be an address such as nats://nats:4222, or several separated by commas',
  );

/** The client of Postgres takes an address without a host, which URL does not: `postgres://user:password@/name?host=…`. */
const databaseUrl = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@localhost/')),
    'must be postgres://user:password@host:5432/database, with / # ? and % of a password written as %2F %23 %3F and %25',
  );

/** The settings of every service, with or without a database. */
export const processSettings = {
  STANZA_NATS_URL: natsUrl
    .describe(
      'Address of the NATS server, several separated by commas, without user and password; tls:// refuses servers without TLS',
    )
    .meta({ example: 'nats://nats:4222' }),
  STANZA_NATS_USER: z.string().optional().describe('NATS user of the service').meta({ example: 'delivery' }),
  STANZA_NATS_PASSWORD: z
    .string()
    .optional()
    .describe('Password of the NATS user')
    .meta({ example: 'Rk5tq0W…', secret: true }),
  STANZA_METRICS_PORT: wholeNumber(0, 65_535)
    .default(9464)
    .describe('Port of /metrics, /livez and /readyz; 0 takes any free port'),
  STANZA_METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address on which that port listens; 0.0.0.0 in a container'),
  STANZA_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Min level that is logged'),
  STANZA_RPC_CONCURRENCY: wholeNumber(1, 100_000)
    .default(256)
    .describe(
      'Max requests in flight in the service; further ones get "overload" at once. Calls that wait for external systems (eight times as many) and jobs of other services are counted separately. An organization never holds more of either than are free',
    ),
};

/** The settings of a process with a schema in the database. */
export const databaseSettings = {
  STANZA_DATABASE_URL: databaseUrl
    .describe("Postgres address with the service's role, its password and the database")
    .meta({ example: 'postgres://stanza_delivery:…@postgres:5432/stanza', secret: true }),
  STANZA_DATABASE_POOL: wholeNumber(1, 500)
    .default(10)
    .describe('Max connections of the process to Postgres'),
};

/** A setting of addresses and CIDRs, separated by commas. */
export const addressRanges = z.string().transform((text, context): AddressRange[] => {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== '')
    .flatMap((entry) => {
      try {
        return [parseAddressRange(entry)];
      } catch (error) {
        context.addIssue({
          code: 'custom',
          message: `${entry} ${error instanceof Error ? error.message : ''}`,
        });
        return [];
      }
    });
});

/** The settings of every service with a database, to spread into the service's own object. */
export const commonSettings = { ...processSettings, ...databaseSettings };

/** The settings are invalid; `problems` has one readable line for each problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Largest edit distance of a suggested name. */
const nearestWithin = 8;

const unknownLine = (name: string, known: readonly string[]): string => {
  const nearest = known.length > 0 ? closest(name, known) : '';
  const hint = nearest && distance(name, nearest) <= nearestWithin ? `; did you mean ${nearest}?` : '';
  return `${name} is not a setting of this service${hint}`;
};

const issueLine = (issue: z.core.$ZodIssue, given: Record<string, string>): string => {
  const name = String(issue.path[0] ?? prefix);
  // The value is never shown: it may be a secret.
  return name in given ? `${name}: ${issue.message}` : `${name} is required`;
};

/**
 * Reads the settings of a service from environment variables. Every `STANZA_*` name must be one of the schema's. White
 * space around a value is not part of it, and an empty value counts as none.
 * @throws SettingsError that lists every unknown name and every bad or missing value
 */
export function loadSettings<S extends z.ZodObject>(
  schema: S,
  env: Record<string, string | undefined>,
): z.output<S> {
  const known = Object.keys(schema.shape);
  const given: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(prefix) || value === undefined) continue;
    // A Secret of Kubernetes made with `echo` ends with a line break, which would be part of a password.
    const text = value.trim();
    if (!known.includes(name)) problems.push(unknownLine(name, known));
    else if (text !== '') given[name] = text;
  }
  const parsed = schema.safeParse(given);
  if (parsed.success && problems.length === 0) return parsed.data;
  problems.push(...(parsed.error?.issues ?? []).map((issue) => issueLine(issue, given)));
  throw new SettingsError(problems);
}
