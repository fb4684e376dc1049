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
  /** Jobs whose hint was published less than a pause ago, and whether another one waits. */
  readonly #pauses = new Map<string, { timer: NodeJS.Timeout; isAgain: boolean }>();
  /** The sender of the hints, which ignores its own. */
  readonly #sender = crypto.randomUUID();

  constructor(options: HintsOptions) {
    this.#options = options;
    this.#subscribe();
  }

  /** Publishes that a job has work: at once, or at the end of the pause after the last hint. */
  publish(job: string): void {
    const pause = this.#pauses.get(job);
    if (pause) pause.isAgain = true;
    else this.#publish(job);
  }

  /** Publishes the hints that wait for the end of a pause. */
  close(): void {
    for (const [job, { timer, isAgain }] of this.#pauses) {
      clearTimeout(timer);
      if (isAgain) this.#send(job);
    }
    this.#pauses.clear();
  }

  #publish(job: string): void {
    this.#send(job);
    const end = () => {
      const isAgain = this.#pauses.get(job)?.isAgain;
      this.#pauses.delete(job);
      if (isAgain) this.#publish(job);
    };
    this.#pauses.set(job, { timer: setTimeout(end, pauseMs).unref(), isAgain: false });
  }

  #send(job: string): void {
    const { broker, service } = this.#options;
    if (broker.connected) broker.nats.publish(hintSubjectOf(service), `${this.#sender} ${job}`);
  }

  /** A subscription that the server refuses leaves the process without hints, and no worse. */
  #subscribe(): void {
    const { broker, service, wake } = this.#options;
    const receive = (message: Msg) => {
      const [sender, job] = message.string().split(' ');
      if (sender !== this.#sender && job !== undefined) wake(job);
    };
    broker.subscribe(hintSubjectOf(service), receive, { isOptional: true });
  }
}
