import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '@stanza/contracts';
import { coalesce, type Database, type Logger, systemClock, type Tenant } from '@stanza/runtime';
import type { GatewayMetrics } from '../metrics.ts';
import {
  completeRecords,
  type RememberedAnswer,
  type TenantCompletion,
} from '../store/idempotency-answers.ts';
import {
  type Claim,
  type ClaimedRecord,
  type ClaimOrRead,
  claimKey,
  claimOrReadAll,
  findRecord,
  freeRecord,
  isTaken,
  type NewClaim,
  releaseRecord,
  type TenantClaim,
} from '../store/idempotency-records.ts';
import { withTimeout } from '../with-timeout.ts';
import { keptMsOf } from './decide-claim.ts';

/** Timeout of a claim, milliseconds; the request waits for it. */
const claimMs = 3_000;
/** Milliseconds for which writing an answer is retried, and between the tries. */
const completeMs = 3_000;
const retryMs = 250;
/** Claims, or answers, of one statement. */
const maxBatch = 64;
/** Bytes of an answer that shares its statement with others. */
const maxSharedBytes = 16 * 1024;
/** Claims to be freed that are kept while the database is unavailable; beyond it the oldest stay blocked. */
const maxWaiting = 10_000;

/** A request that holds its key. */
export interface Held {
  tenant: Tenant;
  operationId: string;
  /** True when an operator released an earlier run: its operation id must be kept. */
  isRerun: boolean;
}

/** The dependencies of idempotent requests. */
export interface IdempotencyClaimsDependencies {
  database: Database;
  log: Logger;
  metrics: Pick<GatewayMetrics, 'keyedEnds'>;
  /** Days for which answers of 500 and above are kept. */
  failureDays: number;
}

const unreachable = (cause: unknown): CodedError =>
  new CodedError(
    'service_unavailable',
    { message: 'Idempotency keys cannot be checked at the moment; nothing was done.', retry_after: 1 },
    { cause },
  );

const notKept = (cause: unknown): CodedError =>
  new CodedError(
    'service_unavailable',
    {
      message:
        'The request was processed, but its answer could not be stored; the change may have happened. Repeat it with the same idempotency key: its true answer follows.',
      retry_after: 1,
    },
    { cause },
  );

/** Requests with an `Idempotency-Key`: claims, answers and freed keys. */
export class IdempotencyClaims {
  readonly #dependencies: IdempotencyClaimsDependencies;
  /** Concurrent claims are made in one statement: under load a statement for each dominates the cost. */
  readonly #claimOrRead: ClaimOrRead;
  /** Answers that are stored together share the flush of the log that each waits for. */
  readonly #complete: (completion: TenantCompletion) => Promise<boolean>;
  #givenUp: Held[] = [];

  constructor(dependencies: IdempotencyClaimsDependencies) {
    this.#dependencies = dependencies;
    this.#claimOrRead = coalesce<TenantClaim, ClaimedRecord | undefined>({
      name: 'idempotency-claims',
      key: ({ tenant }) => tenant.organizationId,
      maxBatch,
      run: (claims) => claimOrReadAll(dependencies.database, claims),
    });
    this.#complete = coalesce<TenantCompletion, boolean>({
      name: 'idempotency-answers',
      key: ({ tenant, end }) => (end.body.length > maxSharedBytes ? end.operationId : tenant.organizationId),
      maxBatch,
      run: (completions) => completeRecords(dependencies.database, completions),
    });
  }

  /**
   * Whether a key is taken; reads only.
   * @throws CodedError `service_unavailable` when the database is unavailable
   */
  async isTaken(tenant: Tenant, operation: string, key: string): Promise<boolean> {
    try {
      return await withTimeout(
        isTaken(tenant, this.#dependencies.database, operation, key),
        claimMs,
        'reading a key',
      );
    } catch (error) {
      throw unreachable(error);
    }
  }

  /**
   * Claims the key of a request.
   * @throws CodedError `service_unavailable` when that is impossible; the request must not run then
   */
  async claim(tenant: Tenant, claim: NewClaim): Promise<Claim> {
    const claiming = claimKey(tenant, this.#dependencies.database, claim, this.#claimOrRead);
    try {
      return await withTimeout(claiming, claimMs, 'the claim');
    } catch (error) {
      this.#giveUpLate(tenant, claim.operationId, claiming);
      throw unreachable(error);
    }
  }

  /**
   * Stores the answer of a request, so that its key replays it from now on.
   * @throws CodedError `service_unavailable` when that is impossible: the key stays blocked
   */
  async remember(held: Held, answer: RememberedAnswer, toConfirm: boolean): Promise<void> {
    const giveUpAt = systemClock.monotonic() + completeMs;
    for (;;) {
      try {
        await this.#write(held, answer, toConfirm);
        this.#dependencies.metrics.keyedEnds.inc({ outcome: 'remembered' });
        return;
      } catch (error) {
        if (systemClock.monotonic() + retryMs > giveUpAt) {
          this.#dependencies.metrics.keyedEnds.inc({ outcome: 'blocked' });
          this.#dependencies.log.error(
            { err: error, operation_id: held.operationId },
            'the answer of an idempotent request could not be stored: its key stays blocked',
          );
          throw notKept(error);
        }
        await pause(retryMs);
      }
    }
  }

  /** The key is freed when the request changed nothing. A failure is retried by {@link retry}. */
  async giveUp(held: Held): Promise<void> {
    if (!(await this.#isFreed(held))) this.#keep(held);
  }

  /**
   * Frees keys that could not be freed before; for a job, and for shutdown. One that cannot be freed now ends it and waits
   * behind the others: most likely the database is away, for all of them.
   */
  async retry(): Promise<void> {
    for (let left = this.#givenUp.length; left > 0; left -= 1) {
      const held = this.#givenUp.shift();
      if (held === undefined || (await this.#isFreed(held))) continue;
      this.#keep(held);
      return;
    }
  }

  async #write({ tenant, operationId }: Held, answer: RememberedAnswer, toConfirm: boolean): Promise<void> {
    const { database, failureDays } = this.#dependencies;
    const keptMs = keptMsOf(answer.status, failureDays);
    const end = { ...answer, operationId, keptMs, toConfirm, settled: false };
    if (await this.#complete({ tenant, end })) return;
    // An earlier try was committed though its answer was lost; otherwise the claim has been taken over.
    const record = await findRecord(database, operationId);
    if (!record?.body?.equals(answer.body))
      throw new Error('the claim of an idempotent request no longer exists');
  }

  /** Frees a key; false where that fails. */
  async #isFreed({ tenant, operationId, isRerun }: Held): Promise<boolean> {
    const { database, log, metrics } = this.#dependencies;
    try {
      if (isRerun) await releaseRecord(tenant, database, operationId);
      else await freeRecord(tenant, database, operationId);
      metrics.keyedEnds.inc({ outcome: 'freed' });
      return true;
    } catch (err) {
      log.warn({ err, operation_id: operationId }, 'an idempotency key could not be freed yet');
      return false;
    }
  }

  /** The request has ended without its claim, so the claim is freed; it may be made only later. */
  #giveUpLate(tenant: Tenant, operationId: string, claiming: Promise<Claim>): void {
    claiming.then(
      (claim) => {
        if (claim.kind === 'claimed') this.#keep({ tenant, ...claim });
      },
      () => this.#keep({ tenant, operationId, isRerun: false }),
    );
  }

  #keep(held: Held): void {
    this.#givenUp.push(held);
    if (this.#givenUp.length <= maxWaiting) return;
    this.#givenUp.shift();
    this.#dependencies.log.error('gave up freeing an idempotency key: it stays blocked');
  }
}
