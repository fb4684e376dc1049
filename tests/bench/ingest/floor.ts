import pg from 'pg';
import { v7 } from 'uuid';

const rowsOfInsert = 64;
const connections = 4;
/** Milliseconds for which the floor is measured at a time. */
const durations = { full: 4_000, check: 500 } as const;

/**
 * The floor of pushing events: the same rows into a table of the same shape, by `unnest` inserts on 4 connections. No
 * HTTP, no key, no queue, no batch.
 */
export class InsertFloor {
  readonly #pool: pg.Pool;
  readonly #event: string;
  #position = 0;

  constructor(databaseUrl: string, event: object) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
    this.#event = JSON.stringify(event);
  }

  /** Makes the table. */
  async open(): Promise<void> {
    await this.#pool.query(
      `create table public.bench_events (
         organization_id uuid not null,
         environment text not null,
         batch_id uuid not null,
         position integer not null,
         received_at timestamptz(3) not null,
         id uuid not null,
         event json not null,
         primary key (batch_id, position, received_at)
       )`,
    );
  }

  /** Inserts for a while; answers rows a second. */
  async measure(mode: keyof typeof durations): Promise<number> {
    const begun = performance.now();
    const end = begun + durations[mode];
    const insert = async (): Promise<number> => {
      let rows = 0;
      for (; performance.now() < end; rows += rowsOfInsert) await this.#insert();
      return rows;
    };
    const rows = await Promise.all(Array.from({ length: connections }, insert));
    return (rows.reduce((sum, it) => sum + it, 0) * 1_000) / (performance.now() - begun);
  }

  /** Drops the table. */
  async close(): Promise<void> {
    await this.#pool.query('drop table public.bench_events');
    await this.#pool.end();
  }

  async #insert(): Promise<void> {
    const first = this.#position;
    this.#position += rowsOfInsert;
    const numbers = Array.from({ length: rowsOfInsert }, (_, at) => at);
    await this.#pool.query({
      name: 'bench-insert',
      text: `insert into public.bench_events (organization_id, environment, batch_id, position, received_at, id, event)
             select $1, 'production', $1, position, now(), id, event
             from unnest($2::integer[], $3::uuid[], $4::json[]) as given (position, id, event)`,
      values: [
        this.#organizationId,
        numbers.map((at) => first + at),
        numbers.map(() => v7()),
        numbers.map(() => this.#event),
      ],
    });
  }

  readonly #organizationId = v7();
}
