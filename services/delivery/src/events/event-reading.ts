import {
  CodedError,
  createEventSubscription,
  listEvents,
  mayCall,
  type Principal,
  requiredScopes,
} from '@stanza/contracts';

/**
 * Requires the scope by which events are read: a subscription hands them on.
 * @throws CodedError `insufficient_scope`
 */
export const requireEventReading = (principal: Principal): void => {
  if (mayCall(principal, listEvents)) return;
  const needed = requiredScopes(listEvents);
  throw new CodedError('insufficient_scope', {
    message: `A subscription hands events on and requires the scope ${needed.join(', ')} besides destinations:write.`,
    required_scopes: [...requiredScopes(createEventSubscription), ...needed],
    user_scopes: [...principal.scopes],
    nothing_done: true,
  });
};
