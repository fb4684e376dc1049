import { type ServiceName, serviceNames } from '@stanza/contracts';
import { SettingsError } from './settings.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A service of the process, and the names of its settings. */
export interface KnownSettings {
  readonly name: ServiceName;
  readonly settings: readonly string[];
}

/** By these a service proves who it is: none of a process with several may have those of another. */
const credentials = new Set(['STANZA_NATS_USER', 'STANZA_NATS_PASSWORD', 'STANZA_DATABASE_URL']);

/** A variable for one service of a process: `DELIVERY_STANZA_DATABASE_URL`. */
export const variableOf = (service: ServiceName, setting: string): string =>
  `${service.toUpperCase().replaceAll('-', '_')}_${setting}`;

const owned = new RegExp(`^(?:${serviceNames.map((name) => variableOf(name, '')).join('|')})STANZA_`);

const problemsOf = (services: readonly KnownSettings[], env: Environment): string[] => {
  const own = services.map(({ name }) => variableOf(name, 'STANZA_'));
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (owned.test(name) && !own.some((it) => name.startsWith(it)))
      return [`${name} is for a service that this process does not run`];
    if (services.length === 1 || !name.startsWith('STANZA_')) return [];
    if (credentials.has(name)) return [`${name} names no service; set one for each, as in DELIVERY_${name}`];
    if (services.some(({ settings }) => settings.includes(name))) return [];
    return [`${name} is not a setting of a service of this process`];
  });
};

/**
 * The variables of each service of a process. `STANZA_LOG_LEVEL` is for all that know it, `DELIVERY_STANZA_LOG_LEVEL` for
 * delivery alone, before the former.
 * @throws SettingsError that lists the variables of no service here, and credentials that name none
 */
export const environmentsOf = <S extends KnownSettings>(
  services: readonly S[],
  env: Environment,
): readonly { service: S; env: Environment }[] => {
  const problems = problemsOf(services, env);
  if (problems.length > 0) throw new SettingsError(problems);
  const given = Object.entries(env);
  return services.map((service) => {
    const { name, settings } = service;
    const start = variableOf(name, 'STANZA_');
    const common = given.filter(([it]) => services.length === 1 || settings.includes(it));
    const own = given
      .filter(([it, value]) => it.startsWith(start) && value !== undefined)
      .map(([it, value]) => [it.slice(start.length - 'STANZA_'.length), value] as const);
    return { service, env: { ...Object.fromEntries(common), ...Object.fromEntries(own) } };
  });
};
