import { addressRanges, databaseSettings, filledText, processSettings, wholeNumber } from '@stanza/runtime';
import { z } from 'zod';
import { consoleIssues, consoleSettings } from './console/console-settings.ts';

/** Accepted signature algorithms of session tokens; shared secrets are excluded. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Media types of RFC 7519, 5.1 and RFC 9068, 2.1; the part before the slash may be omitted, and case is ignored. */
const typeList = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.string().regex(/^[A-Za-z0-9!#$&^_.+/-]{1,64}$/)).min(1));

const algorithmList = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(algorithms)).min(1));

const proxySettings = {
  STANZA_TRUSTED_PROXIES: addressRanges
    .default([])
    .describe(
      'Addresses and CIDRs of the proxies in front, separated by commas. The client address that they report in the header STANZA_FORWARDED_HEADER is trusted; without any, the address of the connection counts',
    )
    .meta({ example: '10.0.0.0/8,2001:db8::/32' }),
  STANZA_FORWARDED_HEADER: z
    .enum(['x-forwarded-for', 'forwarded'])
    .default('x-forwarded-for')
    .describe(
      'The one header in which trusted proxies report the client address. They must write it themselves, so that values sent by the client are replaced or precede theirs',
    ),
};

const sessionSettings = {
  STANZA_SESSION_ISSUER: filledText
    .optional()
    .describe(
      '`iss` of session tokens; without the three settings of the provider, only API keys are accepted',
    )
    .meta({ example: 'https://login.example.com/' }),
  STANZA_SESSION_AUDIENCE: filledText
    .optional()
    .describe('`aud` that session tokens must contain')
    .meta({ example: 'stanza' }),
  STANZA_SESSION_JWKS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("URL of the identity provider's JSON Web Key Set")
    .meta({ example: 'https://login.example.com/.well-known/jwks.json' }),
  STANZA_SESSION_ALGORITHMS: algorithmList
    .default(['RS256', 'PS256', 'ES256', 'EdDSA'])
    .describe(`Accepted signature algorithms, separated by commas, of ${algorithms.join(', ')}`),
  STANZA_SESSION_TYPES: typeList
    .default(['JWT', 'at+jwt'])
    .describe(
      'Accepted token types (header `typ`), separated by commas. A token without one counts as `JWT`; with a provider that marks access tokens `at+jwt` allow only that',
    ),
  STANZA_SESSION_ORGANIZATION_CLAIM: filledText
    .default('organization_id')
    .describe('Claim with the id of the organization in which a session acts'),
  STANZA_SESSION_ENVIRONMENT_CLAIM: filledText
    .default('environment')
    .describe('Claim whose value `preview` gives a session the preview environment'),
};

const commandSettings = {
  STANZA_COMMAND_CLIENT_ID: filledText
    .optional()
    .describe(
      '`client_id` of the command `stanza` at the identity provider, a public client that redirects to ports of 127.0.0.1; without it the command accepts only API keys',
    )
    .meta({ example: 'stanza-command' }),
};

const provider = ['STANZA_SESSION_ISSUER', 'STANZA_SESSION_AUDIENCE', 'STANZA_SESSION_JWKS_URL'] as const;

const all = z.object({
  ...processSettings,
  ...databaseSettings,
  ...sessionSettings,
  ...proxySettings,
  ...consoleSettings,
  ...commandSettings,
  STANZA_MCP: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether agents reach the gateway at `/mcp`, with the tools of the Model Context Protocol'),
  STANZA_MCP_AUDIENCE: filledText
    .optional()
    .describe(
      '`aud` of the tokens that a provider issues for agents; they are accepted only at `/mcp`, not by the API. By default `/mcp` of STANZA_CONSOLE_URL',
    )
    .meta({ example: 'https://stanza.example.com/mcp' }),
  STANZA_DECIDING_CLIENTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    )
    .describe(
      '`client_id` of applications, separated by commas, whose sessions count as a person under an activation policy that requires one. The console always does',
    )
    .meta({ example: 'release-desk' }),
  STANZA_PORT: wholeNumber(0, 65_535).default(8787).describe('Port of the API; 0 takes any free one'),
  STANZA_HOST: filledText
    .default('127.0.0.1')
    .describe('Address on which the API listens; 0.0.0.0 in a container'),
  STANZA_HTTP_CONCURRENCY: wholeNumber(4, 100_000)
    .default(1_000)
    .describe(
      'Max concurrent requests of a gateway; further ones get 503 at once. An organization never holds more of these slots than are free. Callers without a key have separate slots, a quarter as many for each kind of request, shared by address',
    ),
  STANZA_HTTP_CONNECTIONS: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe('Concurrent connections of a gateway; further ones are closed without a response'),
  STANZA_STREAMS: wholeNumber(0, 100_000)
    .default(500)
    .describe(
      'Max open streams of server-sent events per gateway; further ones get 503. An organization has up to 20 of them',
    ),
  STANZA_STREAM_SECONDS: wholeNumber(1, 86_400)
    .default(900)
    .describe(
      'Max lifetime of a stream in seconds; its client reconnects and resumes. It must be shorter than the response timeout of proxies in front',
    ),
  STANZA_DRAIN_SECONDS: wholeNumber(0, 60)
    .default(1)
    .describe(
      'Seconds for which a stopping gateway still accepts requests, so that the load balancer notices that it is not ready; each response announces that its connection closes',
    ),
  STANZA_HSTS_SECONDS: wholeNumber(0, 63_072_000)
    .default(0)
    .describe(
      'Seconds for which browsers use TLS only (Strict-Transport-Security); 0 omits the header, where the proxy in front sets it',
    ),
  STANZA_IDEMPOTENCY_FAILURE_DAYS: wholeNumber(1, 3_650)
    .default(90)
    .describe(
      'Days for which responses of 500 and above are kept for idempotency; lower ones are always kept for 24 hours',
    ),
});

/**
 * Settings of the gateway. An incomplete identity provider is refused, since it would leave tokens partly unchecked.
 */
export const settings = all.superRefine((given, context) => {
  for (const { name, message } of consoleIssues(given))
    context.addIssue({ code: 'custom', path: [name], message });
  if (given.STANZA_COMMAND_CLIENT_ID !== undefined && given.STANZA_SESSION_ISSUER === undefined) {
    const message = 'needs an identity provider: set STANZA_SESSION_ISSUER and its companions';
    context.addIssue({ code: 'custom', path: ['STANZA_COMMAND_CLIENT_ID'], message });
  }
  const missing = provider.filter((name) => given[name] === undefined);
  if (missing.length === provider.length) return;
  for (const name of missing) {
    const path = [name];
    context.addIssue({
      code: 'custom',
      path,
      message: 'is required with the other settings of the provider',
    });
  }
});

/** See {@link settings}. */
export type GatewaySettings = z.output<typeof settings>;
