import { z } from 'zod';
import { httpOperation } from '../operation.ts';
import { creditBalance, validatedToken } from '../resources/organization.ts';
import { id } from '../resources/values.ts';

/** Shows what a token is. */
export const validateToken = httpOperation({
  id: 'validate-token',
  service: 'organization',
  summary: 'Validate the bearer token and show what it may do',
  method: 'GET',
  path: '/auth/validate',
  access: 'any_token',
  answersValidity: true,
  reply: validatedToken,
});

/** Shows the credits of the caller's organization. */
export const getCredits = httpOperation({
  id: 'get-credits',
  service: 'organization',
  summary: "Read the organization's credit balance",
  method: 'GET',
  path: '/credits/{organization_id}',
  access: 'usage:read',
  params: z.strictObject({ organization_id: id }),
  reply: creditBalance,
  errors: ['organization_not_found', 'credits_not_found'],
});
