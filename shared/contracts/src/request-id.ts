import { limits } from './limits.ts';

const shape = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestId}}$`);

/** Whether a client's `X-Request-Id` is well-formed; another one is replaced. */
export const isRequestId = (given: unknown): given is string =>
  typeof given === 'string' && shape.test(given);
