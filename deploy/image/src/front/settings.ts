import { addressRanges, filledText, wholeNumber } from '@stanza/runtime';
import { z } from 'zod';

const port = wholeNumber(0, 65_535);

/** Settings of the front. */
export const settings = z.object({
  STANZA_FRONT_GATEWAYS: z
    .string()
    .regex(/^[^:]+:\d{1,5}$/, 'must be a host name and a port')
    .default('gateway:8787')
    .transform((text) => {
      const [host = '', port] = text.split(':');
      return { host, port: Number(port) };
    })
    .describe('Host name and port of the gateways; requests go to every address that the name has'),
  STANZA_PORT: port.default(8787).describe('Port of the API; 0 takes any free port'),
  STANZA_HOST: filledText
    .default('127.0.0.1')
    .describe('Address on which it listens; 0.0.0.0 in a container'),
  STANZA_FRONT_CONNECTIONS: wholeNumber(1, 1_000_000)
    .default(4_096)
    .describe(
      'Connections of the front at most, of which a client has an eighth (an IPv4 address, or the /64 of an IPv6 address); beyond that the one is closed without a response that has gone longest without a request',
    ),
  STANZA_FRONT_TRUSTED_PROXIES: addressRanges
    .default([])
    .describe(
      'Addresses and CIDRs of the proxies before the front, separated by commas. The client address that they report in X-Forwarded-For is handed on; without any, the address of the connection',
    )
    .meta({ example: '10.0.0.0/8,2001:db8::/32' }),
  STANZA_METRICS_PORT: port.default(9464).describe('Port of /readyz; 0 takes any free port'),
  STANZA_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Min level that is logged'),
});
