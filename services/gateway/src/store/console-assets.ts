import { findRow, type Queryable, statement } from '@stanza/runtime';
import type { ConsoleAssetRow } from './tables.ts';

/** Days for which a file outlives the last gateway that has it. A session of the console is shorter. */
const keptDays = 14;

// Most of the time all is known, and nothing is written: a row is touched once a day.
const touch = statement<Pick<ConsoleAssetRow, 'path'>>(
  'console-assets-touch',
  `with touched as (
     update console_assets
     set kept_at = clock_timestamp()
     where path = any ($1)
       and kept_at < clock_timestamp() - interval '1 day'
   )
   select path
   from console_assets
   where path = any ($1)`,
);

const insert = statement(
  'console-assets-insert',
  `insert into console_assets (path, content, kept_at)
   select path, content, clock_timestamp()
   from unnest($1::text[], $2::bytea[]) as own (path, content)
   on conflict do nothing`,
);

/** Keeps files for gateways of other versions, by their path, which names their content. */
export const keepAssets = async (db: Queryable, own: ReadonlyMap<string, Buffer>): Promise<void> => {
  const known = new Set((await db.query(touch, [[...own.keys()]])).map(({ path }) => path));
  const missing = [...own].filter(([path]) => !known.has(path));
  if (missing.length === 0) return;
  await db.query(insert, [missing.map(([path]) => path), missing.map(([, content]) => content)]);
};

const forget = statement(
  'console-assets-forget',
  `delete from console_assets
   where kept_at < clock_timestamp() - make_interval(days => $1::int)`,
);

/** Deletes the files that no gateway has kept for two weeks. */
export const forgetAssets = async (db: Queryable): Promise<void> => {
  await db.query(forget, [keptDays]);
};

const list = statement<Pick<ConsoleAssetRow, 'path'>>(
  'console-assets-list',
  'select path from console_assets',
);

/** The paths of all files that are kept. */
export const listAssets = async (db: Queryable): Promise<Set<string>> =>
  new Set((await db.query(list)).map(({ path }) => path));

const read = statement<Pick<ConsoleAssetRow, 'content'>>(
  'console-asset-read',
  'select content from console_assets where path = $1',
);

/** The content of a file; undefined when it is not kept any more. */
export const readAsset = async (db: Queryable, path: string): Promise<Buffer | undefined> =>
  (await findRow(db, read, [path]))?.content;
