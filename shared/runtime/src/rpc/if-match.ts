import { CodedError, type HttpOperation, namesTag, resourceTag } from '@stanza/contracts';
import type { CallContext } from './context.ts';

/**
 * Checks that a resource is the one that the caller has read, while its row is locked.
 * @param resource as the operation answers it
 * @throws CodedError `changed_meanwhile` where the request names another tag
 */
export const checkIfMatch = (
  { ifMatch }: Pick<CallContext, 'ifMatch'>,
  { entityTag = {} }: Pick<HttpOperation, 'entityTag'>,
  resource: object,
): void => {
  if (ifMatch === undefined || namesTag(ifMatch, resourceTag(resource, entityTag))) return;
  throw new CodedError('changed_meanwhile');
};
