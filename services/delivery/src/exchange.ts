import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** The progress of a request. */
export interface Progress {
  /** True once bytes of the request may have been sent; before that, nothing can have happened. */
  bytesMayHaveLeft: boolean;
}

/** How a request is made. */
export interface Exchange {
  progress: Progress;
  /** Timeout for the whole answer, milliseconds. */
  timeoutMs: number;
  /** Bytes of the answer after which the rest is dropped; all are read unless given. */
  mostBytes?: number;
}

/** An answer that has been read. */
export interface ReadAnswer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Why the rest of the body is missing. */
  failure?: Error;
}

/**
 * Makes one request and reads its answer.
 * @throws the error of a request without an answer; a timeout is named `TimeoutError`
 */
export const exchange = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  how: Exchange,
): Promise<ReadAnswer> =>
  new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new AnswerReader(how, resolve, reject));
  });

/**
 * Reads an answer, and records the moment before the first byte of the request is written: the client starts a request
 * only on an established connection, TLS included. Error codes do not tell this, since a reset may come at any time.
 */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #how: Exchange;
  readonly #resolve: (answer: ReadAnswer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: Pick<ReadAnswer, 'statusCode' | 'headers'> | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** Set once the time is up, which a request that waits for its connection learns later. */
  #timeout: DOMException | undefined;

  constructor(how: Exchange, resolve: (answer: ReadAnswer) => void, reject: (reason: unknown) => void) {
    this.#how = how;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#giveUp(), Math.max(1, Math.floor(how.timeoutMs)));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#timeout) controller.abort(this.#timeout);
    else this.#how.progress.bytesMayHaveLeft = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    // The final answer follows an informational one.
    if (statusCode >= 200) this.#head = { statusCode, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < (this.#how.mostBytes ?? Number.POSITIVE_INFINITY)) return;
    this.#end();
    controller.abort(new Error('the rest of the answer is not read'));
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  #giveUp(): void {
    this.#timeout = new DOMException('the answer has not come in time', 'TimeoutError');
    this.#end(this.#timeout);
    this.#controller?.abort(this.#timeout);
  }

  /** Only the first end counts. */
  #end(failure?: Error): void {
    clearTimeout(this.#timer);
    if (!this.#head) this.#reject(failure);
    else this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks), ...(failure && { failure }) });
  }
}
