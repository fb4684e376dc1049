import { useSyncExternalStore } from 'react';

const everyMs = 10_000;

const listeners = new Set<() => void>();
let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** A page that is not seen is drawn again once it is. */
const tick = (): void => {
  if (document.visibilityState === 'hidden') return;
  ticks += 1;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (timer === undefined) {
    timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', tick);
  };
};

const ticksNow = (): number => ticks;

/** Has whatever uses it drawn again as the time goes by: an answer that stays the same draws nothing. */
export const useClock = (): void => void useSyncExternalStore(subscribe, ticksNow);
