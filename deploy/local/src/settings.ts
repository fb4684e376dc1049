import { type ServiceName, serviceNames } from '@stanza/contracts';
import { closest } from 'fastest-levenshtein';
import { StackFailure } from './failure.ts';
import { settingsModules } from './service-modules.ts';

/** The names of the settings that each service knows. */
export type KnownSettings = Record<ServiceName, ReadonlySet<string>>;

/** Variables of the stack itself, and of its tests. */
const ofTheStack = new Set([
  'STANZA_DIRECTORY',
  'STANZA_CHROMIUM',
  'STANZA_CASES',
  'STANZA_CORPUS',
  'STANZA_FUZZ_SEED',
  'STANZA_JOURNEYS',
  'STANZA_TEST_STACK',
  'STANZA_TEST_GATEWAYS',
  'STANZA_TEST_MAILBOX',
  'STANZA_TEST_PLAN',
  'STANZA_TEST_CONTAINERS',
  'STANZA_TEST_INSPECT',
  'STANZA_SCREENSHOTS',
]);

/** Variables of programs that call the API: a developer has them in the shell from which the stack starts, too. */
const ofCallers = new Set(['STANZA_URL', 'STANZA_KEY', 'STANZA_SOURCE_KEY']);

/** Settings that the stack sets for each process, with the alternative to use. */
const decidedByStack: Record<string, string> = {
  STANZA_DATABASE_URL: 'DATABASE_URL',
  STANZA_NATS_URL: 'NATS_URL',
  STANZA_NATS_USER: 'a user in NATS_URL',
  STANZA_NATS_PASSWORD: 'a password in NATS_URL',
  STANZA_METRICS_PORT: 'the addresses in stack.json',
  STANZA_METRICS_HOST: 'the addresses in stack.json',
  STANZA_PORT: '--port',
  STANZA_SERVICES: '--small',
};

/** Loads the names of the settings of every service. */
export const loadKnownSettings = async (): Promise<KnownSettings> => {
  const entries = await Promise.all(
    serviceNames.map(async (name) => {
      const { settings } = await settingsModules[name]();
      return [name, new Set(Object.keys(settings.shape))] as const;
    }),
  );
  const byName = new Map<ServiceName, ReadonlySet<string>>(entries);
  const of = (name: ServiceName): ReadonlySet<string> => byName.get(name) ?? new Set();
  return {
    organization: of('organization'),
    template: of('template'),
    compile: of('compile'),
    delivery: of('delivery'),
    'queue-ingest': of('queue-ingest'),
    gateway: of('gateway'),
  };
};

/**
 * The `STANZA_*` variables of an environment that are settings of services. An unknown name, and one that the stack
 * sets itself, stops the start: a setting must not be silently ignored.
 */
export const userSettings = (
  known: KnownSettings,
  env: Record<string, string | undefined>,
): Record<string, string> => {
  const names = new Set(Object.values(known).flatMap((ofService) => [...ofService]));
  const found: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('STANZA_') || value === undefined || ofTheStack.has(name) || ofCallers.has(name))
      continue;
    const instead = decidedByStack[name];
    if (instead !== undefined) problems.push(`${name} is set by the stack; use ${instead} instead.`);
    else if (!names.has(name)) problems.push(`${name} is not a setting; ${nearest(name, names)}`);
    else found[name] = value;
  }
  if (problems.length === 0) return found;
  throw new StackFailure(problems.join('\n'), 'Correct or unset it, and start again.');
};

const nearest = (name: string, names: ReadonlySet<string>): string => {
  const candidates = [...names].filter((it) => decidedByStack[it] === undefined);
  return candidates.length === 0 ? 'no service has any.' : `the nearest is ${closest(name, candidates)}.`;
};
