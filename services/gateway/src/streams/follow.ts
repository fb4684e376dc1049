import type { ServerResponse } from 'node:http';
import { type CodedError, type streamEnds, streamHeartbeatSeconds } from '@stanza/contracts';
import type { Clock } from '@stanza/runtime';
import { type Changes, endText, eventsText, heartbeatText, openingText } from './event-text.ts';

/** Why a stream ends. */
export type EndReason = (typeof streamEnds)[number];

/** What a stream reads, for as long as its caller may. */
export interface Followed {
  /** Names all that is asked, whatever the place. */
  readonly asked: string;
  /** Where the stream begins. */
  readonly first: Changes;
  /** Reads what has changed after a place. */
  read(after: string): Promise<Changes>;
  /** @throws CodedError when the caller may no longer read */
  check(): Promise<void>;
  /** The error as the API codes it, and the fields of the last event that explain it. */
  explain(error: unknown): { coded: CodedError; fields: Record<string, unknown> };
}

/** What the streams of a gateway have in common. */
export interface StreamTiming {
  clock: Clock;
  /** Resolves at the next look at the log, which is sooner where the stream is behind, or when the stream is to end. */
  next(isBehind: boolean): Promise<void>;
  /** Milliseconds that this stream lives. */
  lifetimeMs: number;
  /** Milliseconds until its client is to come back; not the same for all. */
  retryMs(): number;
  /** Why the stream is to end; undefined while it goes on. */
  ending(): EndReason | undefined;
}

/** Milliseconds in which a client that reads nothing must take what was written. */
const slowMs = 30_000;

/** Writes, and waits until the client has taken it: what waits in this process is one read of the log at most. */
const written = async (response: ServerResponse, text: string): Promise<boolean> => {
  if (response.destroyed) return true;
  if (response.write(text)) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const taken = () => resolve(true);
  const timer = setTimeout(() => resolve(false), slowMs);
  response.once('drain', taken);
  response.once('close', taken);
  const isTaken = await promise;
  clearTimeout(timer);
  response.off('drain', taken);
  response.off('close', taken);
  return isTaken;
};

/** The text of a stream: its opening, and from then on what has come, or that it lives after a silence. */
class StreamText {
  readonly #clock: Clock;
  #wroteAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wroteAt = clock.monotonic();
  }

  /** What to write of changes; empty where nothing is to be said. */
  textOf(at: Changes): string {
    const isSilent = this.#clock.monotonic() - this.#wroteAt >= streamHeartbeatSeconds * 1_000;
    const text = at.events.length === 0 && isSilent ? heartbeatText(at.position) : eventsText(at);
    if (text !== '') this.#wroteAt = this.#clock.monotonic();
    return text;
  }
}

/** How a stream ends, and what its last event says besides the reason. */
interface Ending {
  reason: EndReason;
  fields?: Record<string, unknown>;
}

/** Follows until there is a reason to end. */
const untilEnd = async (
  response: ServerResponse,
  { first, read, check, explain }: Followed,
  { clock, next, lifetimeMs, retryMs, ending }: StreamTiming,
): Promise<Ending> => {
  const endsAt = clock.monotonic() + lifetimeMs;
  const stream = new StreamText(clock);
  let at = first;
  let text = openingText(retryMs(), first.position) + stream.textOf(first);
  for (;;) {
    if (text !== '' && !(await written(response, text))) return { reason: 'slow' };
    await next(at.has_more);
    if (response.destroyed) return { reason: 'client' };
    const reason = ending() ?? (clock.monotonic() >= endsAt ? 'lifetime' : undefined);
    if (reason) return { reason };
    try {
      await check();
      at = await read(at.position);
    } catch (error) {
      const { coded, fields } = explain(error);
      return { reason: coded.status < 500 ? 'refused' : 'failed', fields };
    }
    text = stream.textOf(at);
  }
};

/** Writes a stream until it ends. @returns why */
export const follow = async (
  response: ServerResponse,
  followed: Followed,
  timing: StreamTiming,
): Promise<EndReason> => {
  const { reason, fields } = await untilEnd(response, followed, timing);
  // Who reads nothing would not read the end either.
  if (reason === 'slow') response.destroy();
  else response.end(endText(timing.retryMs(), { reason, ...fields }));
  return reason;
};
