import { httpOperation } from '../operation.ts';
import { validatedToken } from '../resources/organization.ts';

/** Describes the token of the request. */
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
