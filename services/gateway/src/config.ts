import { type AddressRange, parseAddressRange } from '@stanza/contracts';
import { databaseSettings, processSettings } from '@stanza/runtime';
import { z } from 'zod';

/** What signs session tokens may be one of these; a secret that both sides know never is. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Media types of RFC 7519, 5.1 and RFC 9068, 2.1; the part before the slash may be left out, and case is nothing. */
const typeList = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.string().regex(/^[A-Za-z0-9!#$&^_.+/-]{1,64}$/)).min(1));

const algorithmList = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(algorithms)).min(1));

const ranges = z.string().transform((text, context): AddressRange[] => {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== '')
    .flatMap((entry) => {
      try {
        return [parseAddressRange(entry)];
      } catch (error) {
        context.addIssue({
          code: 'custom',
          message: `${entry} ${error instanceof Error ? error.message : ''}`,
        });
        return [];
      }
    });
});

const proxySettings = {
  STANZA_TRUSTED_PROXIES: ranges
    .default([])
    .describe(
      'Addresses and CIDRs of the proxies in front, separated by commas. What they say of the address of a client is believed, in the header that STANZA_FORWARDED_HEADER names; without any, the address of the connection counts',
    )
    .meta({ example: '10.0.0.0/8,2001:db8::/32' }),
  STANZA_FORWARDED_HEADER: z
    .enum(['x-forwarded-for', 'forwarded'])
    .default('x-forwarded-for')
    .describe(
      'The one header in which trusted proxies name the client. They must write it themselves, so that what a client sends in it is replaced or stands before',
    ),
};

const sessionSettings = {
  STANZA_SESSION_ISSUER: z
    .string()
    .min(1)
    .optional()
    .describe('`iss` of session tokens; without the three settings of the provider, API keys alone are taken')
    .meta({ example: 'https://login.example.com/' }),
  STANZA_SESSION_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe('`aud` that session tokens must name')
    .meta({ example: 'stanza' }),
  STANZA_SESSION_JWKS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the identity provider publishes the keys that it signs with, as a JSON Web Key Set')
    .meta({ example: 'https://login.example.com/.well-known/jwks.json' }),
  STANZA_SESSION_ALGORITHMS: algorithmList
    .default(['RS256', 'PS256', 'ES256', 'EdDSA'])
    .describe(`Signatures that are accepted, separated by commas, of ${algorithms.join(', ')}`),
  STANZA_SESSION_TYPES: typeList
    .default(['JWT', 'at+jwt'])
    .describe(
      'Types (header `typ`) of tokens that are accepted, separated by commas. A token without one counts as `JWT`; a provider that marks access tokens `at+jwt` allows for that alone',
    ),
  STANZA_SESSION_ORGANIZATION_CLAIM: z
    .string()
    .min(1)
    .default('organization_id')
    .describe('Claim that holds the id of the organization in which a session acts'),
  STANZA_SESSION_ENVIRONMENT_CLAIM: z
    .string()
    .min(1)
    .default('environment')
    .describe('Claim whose value `preview` makes a session one of the preview environment'),
};

const provider = ['STANZA_SESSION_ISSUER', 'STANZA_SESSION_AUDIENCE', 'STANZA_SESSION_JWKS_URL'] as const;

const all = z.object({
  ...processSettings,
  ...databaseSettings,
  ...sessionSettings,
  ...proxySettings,
  STANZA_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8787)
    .describe('Port of the API; 0 takes any free one'),
  STANZA_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address on which the API listens; 0.0.0.0 in a container'),
  STANZA_HTTP_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(4)
    .max(100_000)
    .default(1_000)
    .describe(
      'Requests that a gateway works on at one time; more are answered 503 at once. No organization gets more of them than are free',
    ),
  STANZA_HTTP_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe('Connections that a gateway keeps at one time; more are closed unheard'),
  STANZA_DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60)
    .default(1)
    .describe(
      'Seconds for which a gateway that was told to stop still takes requests, so that what stands in front notices that it is not ready; each answer says that its connection closes',
    ),
  STANZA_HSTS_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(63_072_000)
    .default(0)
    .describe(
      'For how long browsers shall use TLS alone (Strict-Transport-Security); 0 says nothing of it, for what stands in front to say',
    ),
  STANZA_IDEMPOTENCY_FAILURE_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe(
      'Days for which a keyed answer of 500 and above is remembered; those below it always for 24 hours',
    ),
});

/** Settings of the gateway. A provider that is named in part would leave its tokens unchecked in part. */
export const settings = all.superRefine((given, context) => {
  const missing = provider.filter((name) => given[name] === undefined);
  if (missing.length === provider.length) return;
  for (const name of missing) {
    const path = [name];
    context.addIssue({ code: 'custom', path, message: 'is required with the others of the provider' });
  }
});

/** See {@link settings}. */
export type GatewaySettings = z.output<typeof settings>;
