/** The wishes of whoever started this process that it end. */
export interface EndRequests {
  /** Aborted by the first of them. */
  first: AbortSignal;
  /** Settled by the first of them. */
  arrived: Promise<void>;
  /** From now on the end of the parent is no reason to end. */
  outliveParent: () => void;
  /** Stops listening. */
  done: () => void;
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for the signals that ask a process to end, and for the end of the process that started it. The second
 * signal ends this process at once; the kernel then ends its children.
 */
export const endRequests = (): EndRequests => {
  const controller = new AbortController();
  const arrived = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let firstAt = 0;
  const onSignal = () => {
    // npm passes Ctrl-C on to a process that the terminal has told already.
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
