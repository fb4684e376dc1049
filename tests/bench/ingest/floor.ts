import { connectionLimits } from '@stanza/local/database-client';
import pg from 'pg';
import { v7 } from 'uuid';
import type { BenchMode } from '../row.ts';
import { type InsertRound, type InsertTarget, insertConnections, insertRound } from './insert-round.ts';

const rowsOfInsert = 64;

/**
 * The floor of pushing events: the same rows into a table of the same shape, by `unnest` inserts on 4 connections. No
 * HTTP, no key, no queue, no batch.
 */
export class InsertFloor {
  readonly #target: InsertTarget;
  readonly #pool: pg.Pool;
  readonly #event: string;
  readonly #organizationId = v7();
  #position = 0;

  private constructor(target: InsertTarget, pool: pg.Pool, event: object) {
    this.#target = target;
    this.#pool = pool;
    this.#event = JSON.stringify(event);
  }

  /** Makes the table. */
  static async open(target: InsertTarget, event: object): Promise<InsertFloor> {
    const pool = new pg.Pool({ ...connectionLimits, connectionString: target.url, max: insertConnections });
    await pool.query(
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
    return new InsertFloor(target, pool, event);
  }

  /** Inserts for a while. */
  measure(mode: BenchMode): Promise<InsertRound> {
    return insertRound(this.#target, () => this.#insert(), mode);
  }

  /** Drops the table. */
  async close(): Promise<void> {
    await this.#pool.query('drop table public.bench_events');
    await this.#pool.end();
  }

  async #insert(): Promise<number> {
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
    return rowsOfInsert;
  }
}
