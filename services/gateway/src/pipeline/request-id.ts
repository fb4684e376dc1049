import { isRequestId } from '@stanza/contracts';
import { v4 } from 'uuid';

/** The client's request id where it is well-formed, else a generated one; never refuses. */
export const requestIdOf = (given: string | undefined): string => (isRequestId(given) ? given : v4());
