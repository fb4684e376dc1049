/** Requests to end this process. */
export interface EndRequests {
  /** Aborted by the first request. */
  first: AbortSignal;
  /** Settled by the first request. */
  arrived: Promise<void>;
  /** From now on the end of the parent does not end this process. */
  outliveParent: () => void;
  /** Stops listening. */
  done: () => void;
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for signals to end, and for the end of the parent process. The second signal ends this process at once; the
 * kernel then ends its children.
 */
export const endRequests = (): EndRequests => {
  const controller = new AbortController();
  const arrived = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let firstAt = 0;
  const onSignal = () => {
    // Ctrl-C arrives twice: from the terminal and from npm.
    if (controller.signal.aborted && performance.now() - firstAt > 500) process.exit(130);
    if (!controller.signal.aborted) firstAt = performance.now();
    controller.abort();
  };
  for (const name of endSignals) process.on(name, onSignal);
  process.once('disconnect', onSignal);
  const outliveParent = () => process.off('disconnect', onSignal);
  return {
    first: controller.signal,
    arrived,
    outliveParent,
    done: () => {
      for (const name of endSignals) process.off(name, onSignal);
      outliveParent();
    },
  };
};
