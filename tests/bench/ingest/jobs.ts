import { Logger, makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import type { BenchMode } from '../row.ts';
import { type InsertRound, type InsertTarget, insertConnections, insertRound } from './insert-round.ts';

const jobsOfCall = 100;
const silent = new Logger(() => () => undefined);

/** The peer of pushing events: the same events as jobs of a queue in the same Postgres, without HTTP and keys. */
export class JobPeer {
  readonly #target: InsertTarget;
  readonly #utils: WorkerUtils;
  readonly #jobs: { identifier: string; payload: object }[];

  private constructor(target: InsertTarget, utils: WorkerUtils, event: object) {
    this.#target = target;
    this.#utils = utils;
    this.#jobs = Array.from({ length: jobsOfCall }, () => ({ identifier: 'digest', payload: event }));
  }

  /** Makes its schema. */
  static async open(target: InsertTarget, event: object): Promise<JobPeer> {
    const utils = await makeWorkerUtils({
      connectionString: target.url,
      maxPoolSize: insertConnections,
      logger: silent,
    });
    await utils.migrate();
    return new JobPeer(target, utils, event);
  }

  /** Adds jobs for a while. */
  measure(mode: BenchMode): Promise<InsertRound> {
    const insert = async (): Promise<number> => (await this.#utils.addJobs(this.#jobs)).length;
    return insertRound(this.#target, insert, mode);
  }

  /** Drops its schema. */
  async close(): Promise<void> {
    await this.#utils.withPgClient((client) => client.query('drop schema graphile_worker cascade'));
    await this.#utils.release();
  }
}
