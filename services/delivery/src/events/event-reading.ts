import {
  CodedError,
  createEventSubscription,
  listEvents,
  type Principal,
  requiredScopes,
} from '@stanza/contracts';

/**
 * Requires the scope by which events are read: a subscription hands them on.
 * @throws CodedError `insufficient_scope`
 */
export const requireEventReading = ({ scopes }: Principal): void => {
  const needed = requiredScopes(listEvents);
  if (needed.every((scope) => scopes.includes(scope))) return;
  throw new CodedError('insufficient_scope', {
    message: `A subscription hands events on and requires the scope ${needed.join(', ')} besides destinations:write.`,
    required_scopes: [...requiredScopes(createEventSubscription), ...needed],
    user_scopes: [...scopes],
    nothing_done: true,
  });
};
