import { idempotencyKeyHeader } from '../idempotency.ts';
import { limits } from '../limits.ts';
import { logPlacePattern } from '../log-place.ts';
import { lastEventIdHeader } from '../operation.ts';
import { sourceAuthorizationHeader } from '../source-authorization.ts';

const idempotencyText = `Makes the request happen once: asked again with the same key and the same content, it is answered as the
first time, with \`Idempotency-Replayed: true\`, at no cost; for 24 hours, failures of status 500 and above longer.
**A 4xx under a key is an answer like any other: 400, 402, 404 and 409 are replayed too. Mend the cause and ask with a new
key.** Other content: 409 \`idempotency_conflict\`. No answer yet: 409 \`idempotency_in_progress\`. Keys belong to the organization,
the environment and the operation. A request that was refused before it ran (401, 403, 422, 429, 503 where nothing was
done) leaves its key free.`;

const bearerText = `An API key, \`stz_live_…\` or \`stz_test_…\`, or a session token: a JWT of the identity provider that the
service is configured with. A session acts as its user, with the scopes of the user's role, in the organization and
environment that the token names.`;

/** What every document has: how requests are authenticated, and the headers of requests and answers. */
export const fixedComponents = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: bearerText },
  },
  headers: {
    RequestId: { description: 'Echo of the request header, or generated.', schema: { type: 'string' } },
    EntityTag: {
      description:
        'Names what was answered: the same resource has the same tag until it changes. For `If-None-Match` and `If-Match`.',
      schema: { type: 'string', pattern: '^"[\\w-]+"$' },
    },
    Authenticate: {
      description: 'The accepted authentication scheme.',
      schema: { type: 'string', const: 'Bearer realm="stanza"' },
    },
    RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
    RateLimitPolicy: {
      description:
        'The rate that the request counts against: its name, `q` requests in any `w` seconds. Omitted where the operation has no rate, or the request could not be counted.',
      schema: { type: 'string' },
      example: '"authoring";q=120;w=60',
    },
    RateLimit: {
      description: 'The rest of that rate: `r` requests now, and more in `t` seconds.',
      schema: { type: 'string' },
      example: '"authoring";r=119;t=60',
    },
    IdempotencyReplayed: {
      description: 'The answer is a replay of the first request with this key; nothing ran again.',
      schema: { type: 'string', const: 'true' },
    },
    IdempotencyOriginal: {
      description: 'On a replay: the request id of the first request with this key.',
      schema: { type: 'string' },
    },
  },
  parameters: {
    RequestId: {
      name: 'X-Request-Id',
      in: 'header',
      description: 'Your own id of the request; an invalid one is replaced.',
      schema: { type: 'string', maxLength: limits.requestId, pattern: '^[A-Za-z0-9._-]+$' },
    },
    SourceAuthorization: {
      name: sourceAuthorizationHeader,
      in: 'header',
      description:
        'The API key of the environment to copy from, as `Bearer <API key>`: of the same organization, with the scopes to read. A session needs none.',
      schema: { type: 'string' },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description:
        'Tags of answers that you have: where one is still right, the answer is 304 without a body.',
      schema: { type: 'string' },
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'The `ETag` of what you have read: the change is refused with 409 `changed_meanwhile` where the resource is another by now.',
      schema: { type: 'string' },
    },
    LastEventId: {
      name: lastEventIdHeader,
      in: 'header',
      description: 'The id of the last event that you have: the stream continues after it.',
      schema: { type: 'string', pattern: logPlacePattern },
    },
    IdempotencyKey: {
      name: idempotencyKeyHeader,
      in: 'header',
      description: idempotencyText,
      schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKey },
    },
  },
};
