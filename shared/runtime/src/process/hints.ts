import type { Msg } from '@nats-io/transport-node';
import { hintSubjectOf, type ServiceName } from '@stanza/contracts';
import type { Broker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';

/** Milliseconds between two hints of the same job: what comes in the meantime is told by one hint at their end. */
const pauseMs = 1_000;

/** Options of {@link Hints}. */
export interface HintsOptions {
  broker: Pick<Broker, 'nats' | 'connected' | 'subscribe'>;
  service: ServiceName;
  /** Lets a job of this process look for its work; a name that it does not have is ignored. */
  wake: (job: string) => void;
  log: Logger;
}

/**
 * Tells the other processes of a service that a job has work. The process that made the work due may have no room for
 * it, or be about to end. A hint is kept nowhere: one that is lost, or finds nobody, costs the time until the next
 * look.
 */
export class Hints {
  readonly #options: HintsOptions;
  /** Jobs that were told less than a pause ago, and whether they are to be told again. */
  readonly #pauses = new Map<string, { timer: NodeJS.Timeout; isAgain: boolean }>();
  /** The process that speaks, so that it does not hear itself. */
  readonly #speaker = crypto.randomUUID();

  constructor(options: HintsOptions) {
    this.#options = options;
    this.#hear();
  }

  /** Tells that a job has work: at once, or at the end of the pause after the last hint. */
  tell(job: string): void {
    const pause = this.#pauses.get(job);
    if (pause) pause.isAgain = true;
    else this.#tell(job);
  }

  /** Tells what waits for the end of a pause. */
  close(): void {
    for (const [job, { timer, isAgain }] of this.#pauses) {
      clearTimeout(timer);
      if (isAgain) this.#publish(job);
    }
    this.#pauses.clear();
  }

  #tell(job: string): void {
    this.#publish(job);
    const end = () => {
      const isAgain = this.#pauses.get(job)?.isAgain;
      this.#pauses.delete(job);
      if (isAgain) this.#tell(job);
    };
    this.#pauses.set(job, { timer: setTimeout(end, pauseMs).unref(), isAgain: false });
  }

  #publish(job: string): void {
    const { broker, service } = this.#options;
    if (broker.connected) broker.nats.publish(hintSubjectOf(service), `${this.#speaker} ${job}`);
  }

  /** A subscription that the server refuses leaves the process without hints, and no worse. */
  #hear(): void {
    const { broker, service, wake } = this.#options;
    const hear = (message: Msg) => {
      const [speaker, job] = message.string().split(' ');
      if (speaker !== this.#speaker && job !== undefined) wake(job);
    };
    broker.subscribe(hintSubjectOf(service), hear, { isOptional: true });
  }
}
