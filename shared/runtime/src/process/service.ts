import type { Operation, ServiceName } from '@stanza/contracts';
import type { EntitySchema } from 'typeorm';
import { z } from 'zod';
import type { Migration } from '../database/data-source.ts';
import type { ReportOptions } from '../database/reports.ts';
import type { Running, ServiceContext } from './service-context.ts';
import type { Environment, KnownSettings } from './service-environment.ts';
import { databaseSettings, loadSettings, processSettings } from './settings.ts';
import type { StartOptions } from './stage.ts';
import { type RunningService, startService } from './start-service.ts';

/** Options of {@link defineService}. */
export interface ServiceOptions<S extends z.ZodObject> {
  name: ServiceName;
  /** All settings of the service, the common ones included. */
  settings: S;
  /** TypeORM entities of the service's schema. */
  entities?: readonly EntitySchema[];
  /** The migrations of the schema; the service waits at its start until all are applied. */
  migrations?: readonly Migration[];
  /** The service has searches or reports; they get connections of their own. */
  reports?: ReportOptions;
  /** False for a service without a schema; it needs no database settings. */
  database?: boolean;
  /** The declared operations of all services; tests pass their own. */
  declared?: readonly Operation[];
  start(serviceContext: ServiceContext<z.output<S>>): Promise<Running>;
}

const withDatabase = z.object({ ...processSettings, ...databaseSettings });
const withoutDatabase = z.object(processSettings);

/** What a process gives to a service that it starts. */
export type ServiceSurroundings = Pick<
  StartOptions<unknown>,
  'log' | 'metrics' | 'tracing' | 'expose' | 'onFatal'
>;

/** A service whose settings are known. */
export interface ConfiguredService {
  readonly name: ServiceName;
  /** The settings that the runtime itself reads. */
  readonly runtime: z.output<typeof withoutDatabase>;
  start(surroundings: ServiceSurroundings): Promise<RunningService>;
}

/** A service that a process can run. */
export interface Service extends KnownSettings {
  /** @throws SettingsError that lists every unknown name and every bad or missing value */
  configure(env: Environment): ConfiguredService;
}

/** Declares a service, for {@link runServices}. */
export const defineService = <S extends z.ZodObject>(options: ServiceOptions<S>): Service => ({
  name: options.name,
  settings: Object.keys(options.settings.shape),
  configure: (env) => {
    const settings = loadSettings(options.settings, env);
    // The service's settings include the common ones, already checked and converted.
    const runtime = (options.database === false ? withoutDatabase : withDatabase).parse(settings);
    const start = (serviceContext: ServiceContext<z.output<S>>) => options.start(serviceContext);
    return {
      name: options.name,
      runtime,
      start: (surroundings) =>
        startService({
          name: options.name,
          settings,
          runtime,
          entities: options.entities ?? [],
          migrations: options.migrations ?? [],
          ...(options.reports && { reports: options.reports }),
          ...(options.declared && { declared: options.declared }),
          ...surroundings,
          start,
        }),
    };
  },
});
