import { isAnswered, KeptConnection, type LoadRequest, type Met } from '../kit/steady-load.ts';

/** When a request was made and answered, by `Date.now()`. */
export interface Timed {
  begun: number;
  ended: number;
  isAnswered: boolean;
}

/** Milliseconds beyond which an answer counts as none: a client has given up by then. */
const givenUpMs = 5_000;

/** A connection that notes how long each request took. */
export class TimedConnection extends KeptConnection {
  readonly #timed: Timed[];

  constructor(url: string, key: string, timed: Timed[]) {
    super(url, key);
    this.#timed = timed;
  }

  override async ask(asked: LoadRequest): Promise<Met> {
    const begun = Date.now();
    const met = await super.ask(asked);
    this.#timed.push({ begun, ended: Date.now(), isAnswered: isAnswered(met) });
    return met;
  }
}

/** What clients noticed of a fault. */
export interface Noticed {
  requests: number;
  failed: number;
  /** Milliseconds from the fault to the last request that, once made, failed or took too long. */
  backMs: number;
  /** The longest that a request took, milliseconds: one in flight at a process that hangs waits for its deadline. */
  longestMs: number;
}

/** What was noticed from the moment of a fault until the one after it. */
export const noticedOf = (timed: readonly Timed[], from: number, to: number): Noticed => {
  const within = timed.filter((it) => it.ended >= from && it.ended < to);
  const bad = within.filter((it) => !it.isAnswered || it.ended - it.begun > givenUpMs);
  return {
    requests: within.length,
    failed: within.filter((it) => !it.isAnswered).length,
    backMs: Math.max(0, ...bad.map((it) => it.begun - from)),
    longestMs: Math.max(0, ...within.map((it) => it.ended - it.begun)),
  };
};
