import { type ErrorCode, errorCodes, errorDocs, errorTable } from '../error-codes.ts';
import { idempotencyOriginalHeader, idempotencyReplayedHeader } from '../idempotency.ts';
import { type HttpOperation, takesIfMatch } from '../operation.ts';
import { rateHeader, rateOf, ratePolicyHeader } from '../rates.ts';
import { scimSchemas } from '../resources/scim.ts';
import type { JsonObject } from './schemas.ts';
import type { SharedComponents } from './shared-components.ts';

const docs: JsonObject = {
  type: 'string',
  format: 'uri-reference',
  description: 'Where the code is explained, on the site of the gateway.',
};

/** The error object of the contract, and the shape of a failed validation. */
export const errorSchemas: JsonObject = {
  Error: {
    type: 'object',
    required: ['error', 'code', 'request_id'],
    properties: {
      error: { type: 'string', description: 'For people; not stable.' },
      code: {
        description: 'Stable; match on this. New ones may be added.',
        anyOf: [{ $ref: '#/components/schemas/ErrorCode' }, { type: 'string' }],
      },
      request_id: { type: 'string' },
      message: { type: 'string' },
      details: { type: 'string', description: 'One line a problem.' },
      error_details: { type: 'string', description: 'The same list, or the platform error, as JSON text.' },
      success: { type: 'boolean', const: false },
      valid: { type: 'boolean', const: false, description: 'Where the operation answers `valid`.' },
      required_scopes: { type: 'array', items: { type: 'string' } },
      user_scopes: { type: 'array', items: { type: 'string' } },
      docs,
    },
  },
  ScimError: {
    description: 'An error of SCIM (RFC 7644, 3.12), with the code and the request id.',
    type: 'object',
    required: ['schemas', 'status', 'detail', 'code', 'request_id'],
    properties: {
      schemas: { type: 'array', items: { type: 'string', const: scimSchemas.error } },
      status: { type: 'string', description: 'The status of the answer.' },
      detail: { type: 'string', description: 'For people; not stable.' },
      scimType: { type: 'string', examples: ['invalidFilter', 'invalidValue', 'invalidSyntax'] },
      code: { type: 'string', description: 'Stable; match on this. New ones may be added.' },
      request_id: { type: 'string' },
      error: { description: 'The same as `detail`, or what is wrong with each value.' },
      message: { type: 'string' },
      success: { type: 'boolean', const: false },
      details: { type: 'string' },
      error_details: { type: 'string' },
      required_scopes: { type: 'array', items: { type: 'string' } },
      user_scopes: { type: 'array', items: { type: 'string' } },
      docs,
    },
  },
  ValidationError: {
    type: 'object',
    required: ['success', 'error', 'message', 'code', 'request_id'],
    properties: {
      success: { type: 'boolean', const: false },
      error: {
        type: 'object',
        required: ['issues', 'name'],
        properties: {
          name: { type: 'string' },
          issues: {
            type: 'array',
            items: {
              type: 'object',
              required: ['code', 'path', 'message'],
              properties: {
                code: { type: 'string' },
                path: { type: 'array', items: { type: ['string', 'number'] } },
                message: { type: 'string' },
              },
            },
          },
        },
      },
      message: { type: 'string', description: 'The issues as one line: `path: message; path: message`.' },
      code: { type: 'string', const: 'validation_failed' },
      request_id: { type: 'string' },
      valid: { type: 'boolean', const: false },
      docs,
    },
  },
};

/** SCIM names its own type of content (RFC 7644, 3.1). */
export const jsonTypeOf = ({ answers }: HttpOperation): string =>
  answers === 'scim' ? 'application/scim+json' : 'application/json';

/** Every code that an operation can answer: its own, and those that come from its place in the gateway. */
export const errorCodesOf = (operation: HttpOperation): ErrorCode[] => {
  const codes: ErrorCode[] = ['validation_failed', 'internal_error', 'service_unavailable'];
  if (operation.body) codes.push('invalid_request');
  if (operation.body && !operation.signedForm) codes.push('unsupported_media_type');
  if (operation.access !== 'public') codes.push('maintenance');
  if (operation.access === 'session') codes.push('misconfigured');
  if (operation.access !== 'public' && operation.access !== 'signed') {
    codes.push('unauthenticated', 'invalid_token', 'access_denied');
    if (operation.access !== 'any_token' && operation.access !== 'session') codes.push('insufficient_scope');
  }
  if (operation.idempotent) codes.push('idempotency_conflict', 'idempotency_in_progress');
  if (takesIfMatch(operation)) codes.push('changed_meanwhile');
  if (rateOf(operation)) codes.push('rate_limited');
  return [...new Set([...codes, ...operation.errors])];
};

const ofEveryAnswer: JsonObject = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

const ofKeyedAnswers: JsonObject = {
  [idempotencyReplayedHeader]: { $ref: '#/components/headers/IdempotencyReplayed' },
  [idempotencyOriginalHeader]: { $ref: '#/components/headers/IdempotencyOriginal' },
};

const ofRatedAnswers: JsonObject = {
  [ratePolicyHeader]: { $ref: '#/components/headers/RateLimitPolicy' },
  [rateHeader]: { $ref: '#/components/headers/RateLimit' },
};

/** Headers of the answers of an operation that are no errors. */
export const responseHeaders = (operation: HttpOperation): JsonObject => ({
  ...ofEveryAnswer,
  ...(operation.entityTag ? { ETag: { $ref: '#/components/headers/EntityTag' } } : {}),
  ...(operation.idempotent ? ofKeyedAnswers : {}),
  ...(rateOf(operation) ? ofRatedAnswers : {}),
});

/** Headers of errors, which operations share: those of the status. What a replay has stands with the idempotency key. */
const errorHeaders = (status: number): JsonObject => ({
  ...ofEveryAnswer,
  ...(status === 401 ? { 'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' } } : {}),
  ...(status === 429 ? ofRatedAnswers : {}),
  ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
});

const validationExample: JsonObject = {
  success: false,
  error: {
    issues: [
      {
        code: 'unrecognized_keys',
        path: ['colour'],
        message: 'is not a key of this request; check the spelling or leave it out',
      },
    ],
    name: 'ValidationError',
  },
  message: 'colour: is not a key of this request; check the spelling or leave it out',
  code: 'validation_failed',
  request_id: 'deploy-4711',
};

/** What a refused scope is told with; the scope of an operation is in its `security`. */
const scopeFacts: JsonObject = { required_scopes: ['templates:create'], user_scopes: ['usage:read'] };

/** An answer with a code, as it may look. */
export const exampleFor = (isScim: boolean, status: number, code: ErrorCode): JsonObject => ({
  ...(code === 'validation_failed'
    ? validationExample
    : { error: errorTable[code].meaning, code, request_id: 'deploy-4711' }),
  ...(status === 403 ? scopeFacts : {}),
  docs: errorDocs(code),
  ...(isScim
    ? { schemas: [scimSchemas.error], status: String(status), detail: errorTable[code].meaning }
    : {}),
});

const schemaFor = (isScim: boolean, status: number): string => {
  if (isScim) return 'ScimError';
  return status === 422 ? 'ValidationError' : 'Error';
};

const camelCode = (code: string): string =>
  code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Codes that come with another one: the names of answers do without them. */
const companions = new Set<ErrorCode>([
  'invalid_token',
  'insufficient_scope',
  'maintenance',
  'idempotency_in_progress',
]);

const nameOf = (codes: readonly ErrorCode[]): string =>
  codes
    .filter((code) => !companions.has(code))
    .map(camelCode)
    .join('');

const responseOf = (
  operation: HttpOperation,
  status: number,
  codes: ErrorCode[],
  shared: SharedComponents,
): JsonObject => {
  const isScim = operation.answers === 'scim';
  const prefix = isScim ? 'Scim' : '';
  const examples = codes.map((code) => [
    code,
    shared.refer('examples', [`${prefix}${camelCode(code)}`, `${prefix}${camelCode(code)}${status}`], {
      summary: errorTable[code].advice,
      value: exampleFor(isScim, status, code),
    }),
  ]);
  const name = `${prefix}${nameOf(codes)}`;
  return shared.refer('responses', [name, `${name}${status}`, `${name}Of${codes.length}`], {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join('\n\n'),
    headers: errorHeaders(status),
    content: {
      [jsonTypeOf(operation)]: {
        schema: { $ref: `#/components/schemas/${schemaFor(isScim, status)}` },
        examples: Object.fromEntries(examples),
      },
    },
  });
};

/** The error responses of an operation by status; those with the same codes are one. */
export const errorResponses = (operation: HttpOperation, shared: SharedComponents): JsonObject => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    // SCIM knows no 422.
    const isScim = operation.answers === 'scim' && code === 'validation_failed';
    const status = isScim ? 400 : errorTable[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  if (operation.body) byStatus.set(413, ['invalid_request']);
  const inOrder = (one: ErrorCode, other: ErrorCode) => errorCodes.indexOf(one) - errorCodes.indexOf(other);
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    sorted.map(([status, codes]) => [
      String(status),
      responseOf(operation, status, codes.sort(inOrder), shared),
    ]),
  );
};
