import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { environmentSchema, personSchema, principalSchema } from '../principal.ts';
import { id } from '../resources/values.ts';

/**
 * Finds the member that a session token names: the user bound to the provider's subject, with the scopes of the
 * role in the organization that the token names.
 */
export const authenticateSession = internalOperation({
  id: 'authenticate-session',
  service: 'organization',
  readOnly: true,
  summary: 'Find the principal of a session',
  callers: ['gateway'],
  input: z.object({ person: personSchema, organization_id: id, environment: environmentSchema }),
  reply: z.object({ principal: principalSchema }),
  errors: ['access_denied'],
});

/**
 * Binds the subject of an identity provider to a user, so that sessions of the one act as the other. For operators:
 * everybody else binds their own by accepting an invitation. A subject belongs to one user for good.
 */
export const bindIdentity = internalOperation({
  id: 'bind-identity',
  service: 'organization',
  summary: 'Let the sessions of a subject act as a user',
  callers: ['admin'],
  input: z.object({
    email: z.email().describe('of the user'),
    issuer: z.string().min(1).max(2048).describe('`iss` of the session tokens'),
    subject: z.string().min(1).max(255).describe('`sub` of the session tokens'),
  }),
  reply: z.object({ user_id: id }),
  errors: ['user_not_found', 'already_exists'],
});
