import type { Stack } from '@stanza/local';
import { isDatabaseOnlySlow, withLogs } from './logged.ts';
import type { SteadyLoad } from './steady-load.ts';
import { waitFor } from './wait.ts';

/** Calls of processes, counted since they started. */
interface CallCounts {
  /** Given up by their caller at their deadline. */
  timedOut: number;
  /** Known to have been slow: answered after that, as the caller counts, or begun after it, as the callee does. */
  slow: number;
}

const sumOf = (metrics: string, series: RegExp): number =>
  [...metrics.matchAll(series)].reduce((sum, [, count]) => sum + Number(count), 0);

/** The counts of a process. One of a version that counts no late answers cannot tell which of its calls were slow. */
const callCounts = async (stack: Stack, process: string): Promise<CallCounts> => {
  const metrics = await (await fetch(stack.info.metrics[process] ?? '')).text();
  const late = /^stanza_rpc_late_replies_total(?:\{.*\})? (\d+)$/gm;
  const expired = /^stanza_rpc_server_calls_total\{.*outcome="expired".*\} (\d+)$/gm;
  const timedOut = /^stanza_rpc_client_calls_total\{.*outcome="timeout".*\} (\d+)$/gm;
  return {
    timedOut: metrics.search(late) === -1 ? 0 : sumOf(metrics, timedOut),
    slow: sumOf(metrics, late) + sumOf(metrics, expired),
  };
};

const inAll = (counts: readonly CallCounts[]): CallCounts => ({
  timedOut: counts.reduce((sum, it) => sum + it.timedOut, 0),
  slow: counts.reduce((sum, it) => sum + it.slow, 0),
});

/** Requests of a load that a slow database may refuse, as a part of all: none of them is accounted for by itself. */
const latePart = 0.01;
/** What such a request is answered. */
const ofDatabase = /The database does not answer|cannot be checked at the moment/;

/** Stops and starts the services of a stack under load, and tells a call that was lost from one that was slow. */
export class CountedServices {
  readonly #stack: Stack;
  /** The calls of processes that have ended. */
  readonly #ended: CallCounts[] = [];
  readonly #down = new Set<string>();

  constructor(stack: Stack) {
    this.#stack = stack;
  }

  async stop(name: string): Promise<void> {
    let last = await callCounts(this.#stack, name);
    this.#down.add(name);
    // While it drains it answers calls, late ones among them: it counts until its metrics are away.
    const looks = waitFor(`the end of ${name}`, async () => {
      const counts = await callCounts(this.#stack, name).catch(() => undefined);
      last = counts ?? last;
      return counts === undefined;
    });
    await Promise.all([this.#stack.process(name).stop(), looks]);
    this.#ended.push(last);
  }

  async start(name: string): Promise<void> {
    await this.#stack.process(name).start();
    this.#down.delete(name);
  }

  /**
   * What a load met and a busy machine does not explain, with what the processes logged about it. A slow call is answered
   * in the end: when a request has failed, there is an answer, if a late one, to each call that timed out, or one of them
   * was lost. Calls are joined, so more requests than calls may have been late. A database is slow where all that is logged
   * of it are limits of time; where it refused more than one request in a hundred, that is a failure all the same.
   */
  async failuresOf(load: SteadyLoad): Promise<string[]> {
    const failures = load.failures();
    if (failures.length === 0) return [];
    const what = `an answer to each call that timed out, for ${failures.join('; ')}`;
    const { timedOut } = await waitFor(what, async () => {
      const counts = await this.#counts();
      return counts.slow >= counts.timedOut && counts;
    });
    const met = load.failures().filter((line) => timedOut === 0 || !line.includes('did not answer in time'));
    const others = met.filter((line) => !ofDatabase.test(line));
    const isExcused = isDatabaseOnlySlow(this.#stack) && met.length - others.length <= load.count * latePart;
    return withLogs(this.#stack, isExcused ? others : met);
  }

  async #counts(): Promise<CallCounts> {
    const names = Object.keys(this.#stack.info.metrics).filter((name) => !this.#down.has(name));
    const running = await Promise.all(names.map((name) => callCounts(this.#stack, name)));
    return inAll([...this.#ended, ...running]);
  }
}
