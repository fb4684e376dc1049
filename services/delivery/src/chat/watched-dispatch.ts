import type { Dispatcher } from 'undici';

/** The progress of a request. */
export interface Progress {
  /** True once bytes of the request may have been sent; before that, nothing can have happened. */
  bytesMayHaveLeft: boolean;
}

/** Forwards all events of a request to its handler, and records the moment before its first byte is written. */
class WatchingHandler implements Dispatcher.DispatchHandler {
  readonly #inner: Dispatcher.DispatchHandler;
  readonly #progress: Progress;

  constructor(inner: Dispatcher.DispatchHandler, progress: Progress) {
    this.#inner = inner;
    this.#progress = progress;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#progress.bytesMayHaveLeft = true;
    this.#inner.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestUpgrade']>>): void {
    this.#inner.onRequestUpgrade?.(...args);
  }

  onResponseStart(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>): void {
    this.#inner.onResponseStart?.(...args);
  }

  onResponseData(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseData']>>): void {
    this.#inner.onResponseData?.(...args);
  }

  onResponseEnd(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>): void {
    this.#inner.onResponseEnd?.(...args);
  }

  onResponseError(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseError']>>): void {
    this.#inner.onResponseError?.(...args);
  }
}

/**
 * A dispatcher that reports the progress of its requests. The client starts a request only on an established
 * connection, TLS included; error codes do not tell this, since a reset may come at any time.
 */
export const watched = (dispatcher: Dispatcher, progress: Progress): Dispatcher =>
  dispatcher.compose(
    (dispatch) => (options, handler) => dispatch(options, new WatchingHandler(handler, progress)),
  );
