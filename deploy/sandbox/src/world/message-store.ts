import type { Draft, Message } from './message.ts';
import { Newest } from './newest.ts';
import { formatTs } from './timestamp.ts';

/** Messages that are kept, to bound the memory of a long-running sandbox. */
const KEPT_MESSAGES = 20_000;
/** In bytes of request bodies; the objects take several times as much. */
const KEPT_BYTES = 64 * 1_024 * 1_024;

/** Called with each accepted, changed or deleted message, and with `null` when all were cleared. */
export type MessageListener = (message: Message | null, change?: 'deleted') => void;

/** The newest accepted messages of all workspaces. */
export class MessageStore {
  readonly #now: () => number;
  readonly #messages = new Newest<Message>({
    count: KEPT_MESSAGES,
    weight: KEPT_BYTES,
    weigh: (message) => message.bytes,
  });
  readonly #listeners = new Set<MessageListener>();
  #lastMicros = 0;

  /** `now` returns the time in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Accepts a message and gives it a `ts` above every earlier one's. */
  accept(draft: Draft): Message {
    const milliseconds = this.#now();
    const micros = Math.max(milliseconds * 1_000, this.#lastMicros + 1);
    this.#lastMicros = micros;
    const postedAt = new Date(milliseconds).toISOString();
    const message: Message = { ...draft, ts: formatTs(micros), micros, postedAt, edits: 0 };
    this.#messages.add(message);
    for (const listener of this.#listeners) listener(message);
    return message;
  }

  /** Changes a message in its place. */
  update(message: Message, changes: Partial<Pick<Message, 'text' | 'blocks' | 'metadata'>>): Message {
    const after: Message = { ...message, ...changes, edits: message.edits + 1 };
    this.#messages.replace(message, after);
    for (const listener of this.#listeners) listener(after);
    return after;
  }

  /** Takes a message out of its channel. */
  remove(message: Message): void {
    this.#messages.remove(message);
    for (const listener of this.#listeners) listener(message, 'deleted');
  }

  /** Walks all kept messages, newest first. */
  newestFirst(): Generator<Message> {
    return this.#messages.newestFirst();
  }

  /** The message with this `ts` in a channel of a workspace, if it is still kept; what one person sees is never found. */
  find(workspace: string, channel: string, ts: string): Message | undefined {
    for (const message of this.#messages.newestFirst()) {
      const isThere = message.channel === channel && message.workspace === workspace;
      if (message.ts === ts && isThere && message.visibleTo === undefined) return message;
    }
    return undefined;
  }

  /** Deletes every message. */
  clear(): void {
    this.#messages.clear();
    for (const listener of this.#listeners) listener(null);
  }

  /** Calls `listener` for each change; the returned function stops it. */
  listen(listener: MessageListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
