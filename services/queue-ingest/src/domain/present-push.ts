import type { Pushed } from './push.ts';

/** A push as its caller gets it. */
export const presentPush = ({ window_end, ...pushed }: Pushed) => ({
  ...pushed,
  window_end: window_end.toISOString(),
});
