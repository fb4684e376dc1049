import { setTimeout as pause } from 'node:timers/promises';
import { acrossOrganizations } from './database/reach.ts';
import type { Logger } from './observability/log.ts';
import type { LogFields } from './observability/log-schema.ts';
import type { SpanAttributes, Tracing } from './observability/tracing.ts';

/**
 * Another process has claimed the job: the fence of the lease no longer fits, and nothing was written. Thrown by a write
 * that requires the fence; the worker leaves the job to the process that holds it now.
 */
export class LostLease extends Error {
  override readonly name = 'LostLease';

  constructor() {
    super('the lease of the job is held by another process');
  }
}

/** A row that carries the trace in which it was written. */
export interface Traced {
  traceparent: string | null;
}

/** Rows of a table that are due, and how one of them is worked on. */
export interface LeasedWork<Job extends Traced> {
  /** Names the work in traces and in the log. */
  name: string;
  /** Jobs under way at one time in this process. */
  places: number;
  /** Jobs of one claim at most; as many as there are places unless given. */
  claimedAtOnce?: number;
  /**
   * Claims jobs that are due, at most `room`. A claim gives each job a lease by the database's clock and a new fence, which
   * every later write of the job requires.
   * @param underWay what this process works on, for claims that share places fairly
   */
  claim: (room: number, underWay: readonly Job[]) => Promise<Job[]>;
  /**
   * Works on a job, which carries the span of this try as its trace. When it rejects, the job is claimed again after its
   * lease.
   */
  run: (job: Job) => Promise<void>;
  /** Attributes of the span of a try. The span continues the trace of the job, or begins one. */
  attributes: (job: Job) => SpanAttributes;
  /** Names a job in the log. */
  facts: (job: Job) => LogFields;
}

/** The name as the log has it. */
const wordOf = (name: string): string => name.replaceAll(' ', '-');

/**
 * Works on leased rows: claims those that are due, runs them beside each other, and claims more as soon as one has ended
 * while others are due. Every replica has one; the row locks of the claim keep them apart.
 */
export class LeasedWorker<Job extends Traced> {
  readonly #parts: { log: Logger; tracing: Tracing };
  readonly #work: LeasedWork<Job>;
  readonly #underWay = new Map<Promise<void>, Job>();
  #claiming: Promise<void> | undefined;
  /**
   * More jobs may be due: a claim found some, and of those that share the room out none has found nothing while this
   * process was at rest.
   */
  #isMoreDue = false;
  /** A job has ended while a claim was under way, which did not know of its place. */
  #hasRoomSince = false;
  #isClosed = false;

  constructor(parts: { log: Logger; tracing: Tracing }, work: LeasedWork<Job>) {
    this.#parts = parts;
    this.#work = work;
  }

  /** Claims as many due jobs as there is room for, and begins with them. A claim that is under way serves all who ask. */
  begin(): Promise<void> {
    // Due jobs belong to all organizations, even when a request of one starts the claim.
    this.#claiming ??= acrossOrganizations(() => this.#claimAll()).finally(() => {
      this.#claiming = undefined;
      if (!this.#hasRoomSince) return;
      this.#hasRoomSince = false;
      this.#refill();
    });
    return this.#claiming;
  }

  /** Waits until everything that has begun is over, also what follows on it. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0 || this.#claiming) {
      await Promise.all([...this.#underWay.keys(), this.#claiming?.catch(() => undefined)]);
    }
  }

  /**
   * Begins nothing more, and waits for what is under way.
   * @param patienceMs milliseconds after which the rest is left to its leases
   */
  async close(patienceMs?: number): Promise<void> {
    this.#isClosed = true;
    if (patienceMs === undefined) return this.settled();
    await Promise.race([this.settled(), pause(patienceMs, undefined, { ref: false })]);
  }

  async #claimAll(): Promise<void> {
    const { places, claimedAtOnce = places, claim } = this.#work;
    for (;;) {
      const room = Math.min(claimedAtOnce, places - this.#underWay.size);
      if (this.#isClosed || room <= 0) return;
      const jobs = await claim(room, [...this.#underWay.values()]);
      this.#isMoreDue = jobs.length > 0 || (this.#isMoreDue && this.#underWay.size > 0);
      for (const job of jobs) this.#start(job);
      if (jobs.length < room) return;
    }
  }

  #start(job: Job): void {
    const running: Promise<void> = this.#run(job).finally(() => {
      this.#underWay.delete(running);
      this.#refill();
    });
    this.#underWay.set(running, job);
  }

  async #run(job: Job): Promise<void> {
    const { name, run, attributes, facts } = this.#work;
    const log = this.#parts.log.child({ ...facts(job), job: wordOf(name) });
    try {
      await this.#parts.tracing.entry(name, job.traceparent ?? undefined, attributes(job), (current) =>
        run({ ...job, traceparent: current ?? null }),
      );
    } catch (err) {
      // It is claimed again after its lease.
      if (err instanceof LostLease) log.info('a leased job was left to the process that has claimed it');
      else log.error({ err }, 'a leased job was left');
    }
  }

  /** The periodic look for due jobs finds what a claim that fails here has left. */
  #refill(): void {
    if (!this.#isMoreDue || this.#isClosed) return;
    if (this.#claiming !== undefined) {
      this.#hasRoomSince = true;
      return;
    }
    this.begin().catch((err: unknown) => {
      this.#parts.log.warn({ err, job: wordOf(this.#work.name) }, 'due jobs could not be claimed');
    });
  }
}
