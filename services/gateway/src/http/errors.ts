import { type CodedError, type HttpOperation, requiredScopes } from '@stanza/contracts';
import type { Answer } from './request-context.ts';

/** Default `Retry-After` of a 429 or 503, seconds. */
const defaultRetryAfter = 1;

const headersOf = (error: CodedError): Record<string, string> => {
  if (error.status === 401) return { 'WWW-Authenticate': 'Bearer realm="stanza"' };
  if (error.status !== 429 && error.status !== 503) return {};
  return { 'Retry-After': String(Math.max(1, Math.ceil(error.facts.retry_after ?? defaultRetryAfter))) };
};

/** A refusal for a reason other than a scope still names the scope of the operation. */
const scopesOf = ({ facts }: CodedError, operation?: HttpOperation): string[] | undefined =>
  facts.required_scopes?.length === 0 && operation ? requiredScopes(operation) : facts.required_scopes;

/** Codes that mean a refused token; other failures say nothing about the token. */
const isRefused = ({ status }: CodedError): boolean => status === 401 || status === 403;

/** The error object of the contract. */
export const errorAnswer = (error: CodedError, requestId: string, operation?: HttpOperation): Answer => {
  const { issues, details, error_details, user_scopes } = error.facts;
  const shape =
    error.code === 'validation_failed'
      ? { success: false, error: { issues: issues ?? [], name: 'ValidationError' }, message: error.message }
      : { error: error.message };
  const body = {
    ...shape,
    code: error.code,
    request_id: requestId,
    details,
    error_details,
    required_scopes: scopesOf(error, operation),
    user_scopes,
    ...(operation?.answersValidity && isRefused(error) ? { valid: false } : {}),
  };
  return { status: error.status, body: JSON.stringify(body), headers: headersOf(error) };
};
