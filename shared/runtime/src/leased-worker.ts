import { setTimeout as pause } from 'node:timers/promises';
import type { ShareKind } from '@stanza/contracts';
import { acrossOrganizations } from './database/reach.ts';
import type { Logger } from './observability/log.ts';
import type { LogFields } from './observability/log-schema.ts';
import type { Metrics } from './observability/metrics.ts';
import type { SpanAttributes, Tracing } from './observability/tracing.ts';
import { largestOf, observeShares, observeWaits } from './shares/share-metrics.ts';

/**
 * Another process has claimed the job: the fence no longer matches, and nothing was written. Thrown by a write that
 * requires the fence; the worker leaves the job to its new holder.
 */
export class LostLease extends Error {
  override readonly name = 'LostLease';

  constructor() {
    super('the lease of the job is held by another process');
  }
}

/** A row with the trace of the work that wrote it. */
export interface Traced {
  traceparent: string | null;
}

/** How due rows of a table are claimed and run. */
export interface LeasedWork<Job extends Traced> {
  /** Names the work in traces and in the log. */
  name: string;
  /** Shows in the metrics how organizations share the places. */
  share?: { kind: ShareKind; metrics: Metrics; organizationOf: (job: Job) => string };
  /** Jobs in flight in this process at most. */
  places: number;
  /** Jobs of one claim at most; `places` unless given. */
  claimedAtOnce?: number;
  /**
   * Claims jobs that are due, at most `room`. A claim gives each job a lease by the database's clock and a new fence,
   * which every later write of the job requires.
   * @param underWay the jobs in flight in this process, for claims that share places fairly
   */
  claim: (room: number, underWay: readonly Job[]) => Promise<Job[]>;
  /**
   * Runs a job, which carries the span of this attempt as its trace. When it rejects, the job is claimed again after
   * its lease.
   */
  run: (job: Job) => Promise<void>;
  /** Attributes of the span of an attempt. The span continues the trace of the job, or begins one. */
  attributes: (job: Job) => SpanAttributes;
  /** Log fields that identify a job. */
  facts: (job: Job) => LogFields;
}

/** How many there are of each. */
export const countBy = <T>(items: readonly T[], key: (item: T) => string): Map<string, number> =>
  new Map([...Map.groupBy(items, key)].map(([of, those]) => [of, those.length]));

/** Jobs in flight by organization, for a claim that lets organizations take turns. */
export const countByOrganization = (underWay: readonly { organization_id: string }[]): Map<string, number> =>
  countBy(underWay, (job) => job.organization_id);

/** The name as the log has it. */
const wordOf = (name: string): string => name.replaceAll(' ', '-');

/**
 * Runs leased jobs: claims due rows, runs them concurrently, and claims more as soon as one ends while others are due.
 * Every replica has one; the row locks of the claim keep them apart.
 */
export class LeasedWorker<Job extends Traced> {
  readonly #parts: { log: Logger; tracing: Tracing };
  readonly #work: LeasedWork<Job>;
  readonly #underWay = new Map<Promise<void>, Job>();
  #claiming: Promise<void> | undefined;
  /** More jobs may be due: a claim found some, and none has found nothing since while this process was idle. */
  #isMoreDue = false;
  /** A job has ended during a claim that did not count its place. */
  #hasRoomSince = false;
  #isClosed = false;
  readonly #countWait: (() => void) | undefined;

  constructor(parts: { log: Logger; tracing: Tracing }, work: LeasedWork<Job>) {
    this.#parts = parts;
    this.#work = work;
    const { share } = work;
    if (!share) return;
    this.#countWait = observeWaits(share.metrics, share.kind);
    observeShares(share.metrics, share.kind, () => ({
      held: this.#underWay.size,
      largest: largestOf(countBy(this.underWay, share.organizationOf).values()),
    }));
  }

  /** The jobs in flight in this process. */
  get underWay(): readonly Job[] {
    return [...this.#underWay.values()];
  }

  /** Claims as many due jobs as there is room for, and starts them. Concurrent calls share one claim. */
  begin(): Promise<void> {
    return this.#begin(false);
  }

  #begin(hasWaited: boolean): Promise<void> {
    // Due jobs belong to all organizations, even when a request of one starts the claim.
    this.#claiming ??= acrossOrganizations(() => this.#claimAll(hasWaited)).finally(() => {
      this.#claiming = undefined;
      if (!this.#hasRoomSince) return;
      this.#hasRoomSince = false;
      this.#refill();
    });
    return this.#claiming;
  }

  /** Waits until all jobs have ended, including those claimed in the meantime. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0 || this.#claiming) {
      await Promise.all([...this.#underWay.keys(), this.#claiming?.catch(() => undefined)]);
    }
  }

  /**
   * Claims no further jobs, and waits for those in flight.
   * @param patienceMs milliseconds after which the remaining jobs are left to their leases
   */
  async close(patienceMs?: number): Promise<void> {
    this.#isClosed = true;
    if (patienceMs === undefined) return this.settled();
    await Promise.race([this.settled(), pause(patienceMs, undefined, { ref: false })]);
  }

  /** @param hasWaited another job has ended: those that are claimed now have waited for its place */
  async #claimAll(hasWaited: boolean): Promise<void> {
    const { places, claimedAtOnce = places, claim } = this.#work;
    for (;;) {
      const room = Math.min(claimedAtOnce, places - this.#underWay.size);
      if (this.#isClosed || room <= 0) return;
      const jobs = await claim(room, [...this.#underWay.values()]);
      // A claim that did not count a place says nothing of what was due for it.
      const mayFindMore = this.#underWay.size > 0 || this.#hasRoomSince;
      this.#isMoreDue = jobs.length > 0 || (this.#isMoreDue && mayFindMore);
      for (const job of jobs) {
        if (hasWaited) this.#countWait?.();
        this.#start(job);
      }
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
      if (err instanceof LostLease) log.info('a job was released: another process has its lease');
      else log.error({ err }, 'a job failed; its lease will expire');
    }
  }

  /** When this claim fails, the periodic one finds the due jobs. */
  #refill(): void {
    if (!this.#isMoreDue || this.#isClosed) return;
    if (this.#claiming !== undefined) {
      this.#hasRoomSince = true;
      return;
    }
    this.#begin(true).catch((err: unknown) => {
      this.#parts.log.warn({ err, job: wordOf(this.#work.name) }, 'due jobs could not be claimed');
    });
  }
}
