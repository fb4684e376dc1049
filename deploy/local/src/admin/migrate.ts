import { createLogger } from '@stanza/runtime';
import { homeDirectory } from '../commands/home.ts';
import { StackFailure } from '../failure.ts';
import { readInfo } from '../info.ts';
import { migrateAll } from '../migrations.ts';
import { databaseAddress, migratorRole, urlFor } from '../provision.ts';
import { readSecrets } from '../secrets.ts';

/** Brings every schema up to date: of the given database, otherwise of the running stack. */
export const migrateFromHere = async (url: string | undefined): Promise<void> =>
  migrateAll(
    databaseAddress(url ?? (await urlOfRunningStack())).href,
    createLogger({ name: 'migrate', level: 'info' }),
  );

const urlOfRunningStack = async (): Promise<string> => {
  const directory = homeDirectory();
  const info = await readInfo(directory.info);
  if (info === undefined) {
    throw new StackFailure(
      'No stack runs here.',
      'Run "npm start" in another terminal, or name a database: npm run admin -- migrate --database <url>',
    );
  }
  return urlFor(info.database_url, migratorRole, readSecrets(directory.secrets).roles[migratorRole] ?? '');
};
