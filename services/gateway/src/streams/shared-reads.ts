import { limits } from '@stanza/contracts';
import { type Metrics, Turns } from '@stanza/runtime';
import type { Changes } from './event-text.ts';

/** Reads of a log that a gateway makes at one time; a read is a call and a few statements. */
const places = 16;
/** Milliseconds that a read waits for its turn at most. */
const waitMs = 5_000;

/** Makes the turns of organizations at reading logs for the streams of a gateway. */
export const streamReadTurns = (metrics: Metrics): Turns =>
  new Turns({
    kind: 'stream_reads',
    places,
    // Each stream has one read at most, so that no organization waits with more.
    waiting: limits.streams,
    waitMs,
    metrics,
    subject: 'Too many reads of streams',
  });

/** What is to be read. */
export interface SharedRead {
  /** Names all that the answer depends on: the tenant, the filters, the place. */
  key: string;
  /** Whose turn it takes. */
  organizationId: string;
}

/** Reads that several streams make at the same time at the same place are one, for which organizations take turns. */
export class SharedReads {
  readonly #running = new Map<string, Promise<Changes>>();
  readonly #turns: Pick<Turns, 'run'>;

  /** @param turns see {@link streamReadTurns} */
  constructor(turns: Pick<Turns, 'run'>) {
    this.#turns = turns;
  }

  /**
   * Reads when it is the organization's turn, or joins the read that runs or waits.
   * @throws CodedError `service_unavailable` when no turn came in time
   */
  read({ key, organizationId }: SharedRead, load: () => Promise<Changes>): Promise<Changes> {
    const running = this.#running.get(key);
    if (running) return running;
    const read = this.#turns.run(organizationId, load).finally(() => this.#running.delete(key));
    this.#running.set(key, read);
    return read;
  }
}
