import { schemaOf, serviceNames } from '@stanza/contracts';
import { migrate } from '@stanza/runtime';
import { serviceRole } from './provision.ts';
import { migrationModules } from './service-modules.ts';

/** Loads the migrations of every service, which the run then does not wait for. */
export const loadMigrations = (): Promise<unknown> =>
  Promise.all(serviceNames.map((service) => migrationModules[service]()));

/** Brings every schema up to date, under the migrator's role. Safe to repeat and to run concurrently. */
export const migrateAll = async (url: string, log: Parameters<typeof migrate>[0]['log']): Promise<void> => {
  for (const service of serviceNames) {
    const { migrations } = await migrationModules[service]();
    const schema = schemaOf(service);
    await migrate({ url, schema, migrations, serviceRole: serviceRole(schema), log });
  }
};
