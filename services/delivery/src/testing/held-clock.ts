import { createDataSource, type Queryable, silentLogger, statement } from '@stanza/runtime';
import type { World } from './world.ts';

const schema = 'held';

/** What a connection looks through while the clock is held: the held function stands before that of Postgres. */
const path = `${schema},pg_catalog,delivery,extensions,public`;
const look = statement<object>('held-clock-look', "select set_config('search_path', $1, true)");

/** Postgres' `clock_timestamp()` as a test sets it, so that waits which are counted from it are exact. */
export class HeldClock {
  readonly #world: World;
  readonly #owner: ReturnType<typeof createDataSource>;

  private constructor(world: World, owner: ReturnType<typeof createDataSource>) {
    this.#world = world;
    this.#owner = owner;
  }

  /** Makes a clock that stands still at this moment. */
  static async open(world: World): Promise<HeldClock> {
    const owner = createDataSource({
      url: world.ownerUrl,
      schema: 'delivery',
      entities: [],
      migrations: [],
      pool: 1,
      session: {},
      applicationName: 'test',
      log: silentLogger(),
    });
    await owner.initialize();
    await owner.query(
      `create schema ${schema};
       create table ${schema}.clock (at timestamptz not null);
       insert into ${schema}.clock values (pg_catalog.clock_timestamp());
       create function ${schema}.clock_timestamp() returns timestamptz
         language sql volatile as 'select at from ${schema}.clock';
       grant usage on schema ${schema} to public;
       grant select on ${schema}.clock to public;`,
    );
    return new HeldClock(world, owner);
  }

  /** Runs statements by this clock, in a transaction of their own. */
  run<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    return this.#world.database.transaction(async (tx) => {
      await tx.query(look, [path]);
      return work(tx);
    });
  }

  /** Moves the clock on by so many milliseconds. */
  async advance(milliseconds: number): Promise<void> {
    await this.#owner.query(`update ${schema}.clock set at = at + $1 * interval '1 millisecond'`, [
      milliseconds,
    ]);
  }

  async close(): Promise<void> {
    await this.#owner.destroy();
  }
}
