import { isIP } from 'node:net';
import { commonSettings, encryptionKeys, filledText, wholeNumber } from '@stanza/runtime';
import { z } from 'zod';
import { appSettings, usualScopes } from './connections/chat-app.ts';
import { parseAllowed, parseDenied, plainHost } from './destinations/outbound-addresses.ts';

const allowed = z.string().transform((text, context) => {
  const parsed = parseAllowed(text);
  if (parsed) return parsed;
  context.addIssue({
    code: 'custom',
    message: 'must be CIDRs, addresses and host names, separated by commas',
  });
  return z.NEVER;
});

const denied = z.string().transform((text, context) => {
  const parsed = parseDenied(text);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'must be addresses with ports, separated by commas' });
  return z.NEVER;
});

const hosts = z.string().transform(
  (text) =>
    new Set(
      text
        .split(',')
        .map((host) => plainHost(host.trim()))
        .filter((host) => host !== ''),
    ),
);

const ports = z
  .string()
  .regex(/^\d{1,5}( *, *\d{1,5})*$/, 'must be ports, separated by commas')
  .transform((text) => new Set(text.split(',').map(Number)));

const nameServers = z.string().transform((text, context) => {
  const servers = text
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '');
  // An address without a port is a name server at the usual port.
  if (servers.every((it) => isIP(it) !== 0 || parseDenied(it) !== undefined)) return servers;
  context.addIssue({
    code: 'custom',
    message: 'must be addresses, separated by commas, with or without ports',
  });
  return z.NEVER;
});

const scopeList = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(
    z.array(z.string().regex(/^[a-z][a-z0-9_.:-]*$/, 'must be names of scopes, separated by commas')).min(1),
  );

const installSettings = {
  STANZA_CHAT_CLIENT_ID: filledText
    .optional()
    .describe(
      'Id of your app at the chat platform; without an app, connections are made with bot tokens only',
    )
    .meta({ example: '1234567890.1234567890' }),
  STANZA_CHAT_CLIENT_SECRET: filledText
    .optional()
    .describe('Secret of your app at the chat platform')
    .meta({ example: '8c1f…', secret: true }),
  STANZA_CHAT_REDIRECT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of /v1/chat/oauth/callback for browsers; it must also be registered in the app')
    .meta({ example: 'https://stanza.example.com/v1/chat/oauth/callback' }),
  STANZA_CHAT_SCOPES: scopeList
    .default(usualScopes)
    .describe('Scopes that the app requests in a workspace, separated by commas'),
};

const all = z.object({
  ...commonSettings,
  STANZA_CHAT_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://slack.com/api/')
    .describe("Base URL of the chat platform's methods"),
  STANZA_CHAT_SIGNING_SECRET: filledText
    .optional()
    .describe('Secret with which the chat platform signs its requests to Stanza')
    .meta({ example: '5d0e…', secret: true }),
  STANZA_CHAT_BREAKER_MS: wholeNumber(100, 600_000)
    .default(5_000)
    .describe(
      'Milliseconds for which a kind of calls to a workspace is paused after repeated failures of the platform',
    ),
  ...installSettings,
  STANZA_ENCRYPTION_KEYS: encryptionKeys
    .describe(
      'Keys that stored tokens are encrypted with: <id>:<base64 of 32 bytes>, several separated by commas; new tokens use the first, any can decrypt',
    )
    .meta({ example: 'k2:…,k1:…', secret: true }),
  STANZA_MESSAGE_DAYS: wholeNumber(1, 3_650)
    .default(90)
    .describe(
      'Days for which sent and failed messages are kept in the log; open and unknown ones are kept indefinitely',
    ),
  STANZA_DESTINATION_ALLOW: allowed
    .prefault('')
    .describe(
      'Addresses allowed to destinations besides public ones, on any port: CIDRs, addresses and host names, separated by commas',
    )
    .meta({ example: '10.20.0.0/16,tickets.internal' }),
  STANZA_DESTINATION_DENY: denied
    .prefault('')
    .describe(
      'Addresses denied to destinations, even where they are allowed: addresses with ports, separated by commas',
    )
    .meta({ example: '10.20.0.7:5432,[fd00::7]:4222' }),
  STANZA_DESTINATION_PORTS: ports
    .prefault('80,443,8080,8443')
    .describe('Ports allowed to destinations, separated by commas'),
  STANZA_DESTINATION_NAME_SERVERS: nameServers
    .prefault('')
    .describe(
      'Name servers for the addresses of destinations, separated by commas; empty: those of the machine',
    )
    .meta({ example: '10.20.0.2,[fd00::2]:5353' }),
  STANZA_DESTINATION_TEST_HOSTS: hosts
    .prefault('')
    .describe('Hosts to which POST /v1/destinations/{id}/test may send, separated by commas')
    .meta({ example: 'hooks.example.com' }),
  STANZA_DELIVERY_DAYS: wholeNumber(1, 3_650)
    .default(30)
    .describe('Days for which ended deliveries to destinations are kept, with payload and attempts'),
  STANZA_EVENT_DAYS: wholeNumber(1, 3_650)
    .default(30)
    .describe('Days for which events are kept for GET /v1/events'),
  STANZA_DESTINATION_DISABLE_AFTER: wholeNumber(1, 1_000_000)
    .default(100)
    .describe('Consecutive failed attempts after which a destination is made inactive'),
});

/** Settings of the delivery service. An incomplete app is refused, since it would fail at the first installation. */
export const settings = all.superRefine((given, context) => {
  const missing = appSettings.filter((name) => given[name] === undefined);
  if (missing.length === appSettings.length) return;
  for (const name of missing) {
    context.addIssue({
      code: 'custom',
      path: [name],
      message: 'is required with the other settings of the app',
    });
  }
});

/** See {@link settings}. */
export type DeliverySettings = z.output<typeof settings>;
