import type { Dispatcher } from 'undici';

/** How far a request has come. */
export interface Progress {
  /** True once bytes of the request may have left; before that, nothing can have happened at the other side. */
  bytesMayHaveLeft: boolean;
}

/** Passes everything on to the handler of a request, and notes the moment before its first byte is written. */
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
 * A dispatcher that reports how far its requests have come. The client starts a request only on a connection that is
 * there, TLS included; the codes of errors can't tell that, since a reset may come at any time.
 */
export const watched = (dispatcher: Dispatcher, progress: Progress): Dispatcher =>
  dispatcher.compose(
    (dispatch) => (options, handler) => dispatch(options, new WatchingHandler(handler, progress)),
  );
