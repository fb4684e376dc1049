import { useRef } from 'react';
import { newId } from './new-id.ts';
import { ApiError } from './request.ts';

/**
 * Whether nothing is known of what came of a request: its answer was lost, on the way or by a service, or is not there
 * yet. Asked once more under its key, it happens once. An answer that was given before stays the same however often it
 * is asked for; the chat platform's lost answer is one of these.
 */
export const isUnanswered = ({ status, code, isReplayed }: ApiError): boolean =>
  code === 'idempotency_in_progress' ||
  ((status === 0 || status >= 500) && !isReplayed && code !== 'delivery_outcome_unknown');

/** Refused before the key was looked at, which says nothing of an earlier try. */
const isTurnedAway = ({ status }: ApiError): boolean => status === 401 || status === 429;

/** Names requests, so that one that is asked for again happens once. */
export class RequestKey {
  #last: { content: string; key: string } | undefined;

  /** The key of a request: that of the one before where it is the same, and nothing is known of what came of that. */
  of(request: unknown): string {
    const content = JSON.stringify(request);
    if (this.#last?.content !== content) this.#last = { content, key: `console-${newId()}` };
    return this.#last.key;
  }

  /** What comes next is another request: this one has its answer, or was given up. */
  end(): void {
    this.#last = undefined;
  }

  /** Ends it, unless nothing is known of what came of it. */
  failed(error: Error): void {
    if (error instanceof ApiError && !isUnanswered(error) && !isTurnedAway(error)) this.end();
  }
}

/** The {@link RequestKey} of a component. */
export const useRequestKey = (): RequestKey => {
  const ref = useRef<RequestKey>(undefined);
  ref.current ??= new RequestKey();
  return ref.current;
};
