import { limits } from '@stanza/contracts';
import { v4 } from 'uuid';

const shape = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestId}}$`);

/** The client's request id where it is well-formed, else a generated one; never refuses. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && shape.test(given) ? given : v4();
