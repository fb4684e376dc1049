import { encryptionKeys, filledText } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the web console and of signing in to it. */
export const consoleSettings = {
  STANZA_CONSOLE: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether this gateway serves the web console at /console/'),
  STANZA_CONSOLE_URL: z
    .url({ protocol: /^https?$/ })
    .transform((text) => new URL(text).origin)
    .optional()
    .describe(
      'Origin under which browsers reach the API and the console; people can sign in once it is set. It is https, except on this machine',
    )
    .meta({ example: 'https://stanza.example.com' }),
  STANZA_CONSOLE_CLIENT_ID: filledText
    .optional()
    .describe(
      '`client_id` of the console at the identity provider; without it people sign in with an API key',
    )
    .meta({ example: 'stanza-console' }),
  STANZA_CONSOLE_CLIENT_SECRET: filledText
    .optional()
    .describe('Secret of the console at the token endpoint; a public client has none and uses only PKCE')
    .meta({ example: 'cA7…', secret: true }),
  STANZA_CONSOLE_DISCOVERY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "The provider's OpenID Connect metadata, if not at `/.well-known/openid-configuration` below STANZA_SESSION_ISSUER",
    )
    .meta({ example: 'https://login.example.com/.well-known/openid-configuration' }),
  STANZA_CONSOLE_KEYS: encryptionKeys
    .optional()
    .describe(
      'Keys that encrypt the refresh tokens of signed-in people, `<id>:<base64 of 32 bytes>`, several separated by commas, the current one first',
    )
    .meta({ example: 'k1:3q2+7w…', secret: true }),
};

/** See {@link consoleSettings}. */
export type ConsoleSettings = z.output<z.ZodObject<typeof consoleSettings>>;

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** What is missing or contradictory in the console's settings, by name. */
export const consoleIssues = (
  given: ConsoleSettings & { STANZA_SESSION_ISSUER?: string | undefined },
): { name: keyof ConsoleSettings; message: string }[] => {
  const url = given.STANZA_CONSOLE_URL;
  const isPlain = url?.startsWith('http:') && !loopback.has(new URL(url).hostname);
  const needs = (name: keyof ConsoleSettings) =>
    given.STANZA_CONSOLE_CLIENT_ID !== undefined && given[name] === undefined
      ? [{ name, message: 'is required with STANZA_CONSOLE_CLIENT_ID' }]
      : [];
  return [
    ...(isPlain
      ? [{ name: 'STANZA_CONSOLE_URL' as const, message: 'must be https, except on this machine' }]
      : []),
    ...needs('STANZA_CONSOLE_URL'),
    ...needs('STANZA_CONSOLE_KEYS'),
    ...(given.STANZA_CONSOLE_CLIENT_ID !== undefined && given.STANZA_SESSION_ISSUER === undefined
      ? [
          {
            name: 'STANZA_CONSOLE_CLIENT_ID' as const,
            message: 'needs an identity provider: set STANZA_SESSION_ISSUER and its companions',
          },
        ]
      : []),
  ];
};
