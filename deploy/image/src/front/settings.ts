import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);

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
  STANZA_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address on which it listens; 0.0.0.0 in a container'),
  STANZA_FRONT_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(4_096)
    .describe('Connections of the front at most; further ones are closed without a response'),
  STANZA_METRICS_PORT: port.default(9464).describe('Port of /readyz; 0 takes any free port'),
  STANZA_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least severe level that is logged'),
});
