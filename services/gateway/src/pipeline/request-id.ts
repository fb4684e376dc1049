import { limits } from '@stanza/contracts';
import { v4 } from 'uuid';

const shape = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestId}}$`);

/** The client's own request id where it has the right form, else a generated one; never a refusal. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && shape.test(given) ? given : v4();
