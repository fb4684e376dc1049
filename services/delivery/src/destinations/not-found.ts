import { CodedError } from '@stanza/contracts';

/** There is no such destination in the environment. */
export const destinationNotFound = (): CodedError =>
  new CodedError('not_found', { message: 'There is no such destination in this environment.' });
