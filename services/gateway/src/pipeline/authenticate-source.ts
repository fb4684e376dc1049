import { CodedError, type Principal, sourceAuthorizationHeader } from '@stanza/contracts';
import type { Credentials } from '../access/credentials.ts';
import { type RequestContext, required, type Step } from '../http/request-context.ts';
import { bearerToken, keyHolder } from './authenticate.ts';

/** A key of another organization opens nothing here, whatever it may do there. */
const checkOrganization = (source: Principal, { principal }: RequestContext): void => {
  if (source.organization_id === required(principal, 'a principal').organization_id) return;
  throw new CodedError('access_denied', {
    message: `The key in ${sourceAuthorizationHeader} belongs to another organization.`,
    required_scopes: [],
    user_scopes: [],
  });
};

/**
 * Authenticates the key with which an operation reads from another environment. Without the header the operation decides
 * whether it needs one.
 */
export const authenticateSource =
  (credentials: Credentials): Step =>
  async (requestContext: RequestContext) => {
    const { operation, request, context } = requestContext;
    const header = operation.takesSource && request.get(sourceAuthorizationHeader);
    if (header === undefined || header === '') return;
    const source = await keyHolder(
      bearerToken(header, sourceAuthorizationHeader),
      credentials,
      requestContext,
    );
    checkOrganization(source, requestContext);
    context.source = source;
  };
