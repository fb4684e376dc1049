import { createServer } from 'node:http';
import { type GatewaySettings, settings } from '../config.ts';
import { listening } from './client.ts';

/** An identity provider that refuses every code, and counts them. */
export const openRefusingProvider = async () => {
  let codes = 0;
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const isToken = request.url === '/token';
    if (isToken) codes += 1;
    const answer = isToken
      ? { error: 'invalid_grant' }
      : {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
        };
    response.writeHead(isToken ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  const issuer = `http://127.0.0.1:${await listening(server)}`;
  return {
    issuer,
    /** Codes that it was asked to exchange. */
    codes: () => codes,
    close: () => void server.close(),
  };
};

/** Settings of a gateway whose people sign in at a provider. */
export const settingsFor = (issuer: string, databaseUrl: string): GatewaySettings =>
  settings.parse({
    STANZA_DATABASE_URL: databaseUrl,
    STANZA_NATS_URL: 'nats://127.0.0.1:1',
    STANZA_SESSION_ISSUER: issuer,
    STANZA_SESSION_AUDIENCE: 'stanza',
    STANZA_SESSION_JWKS_URL: `${issuer}/keys`,
    STANZA_COMMAND_CLIENT_ID: 'stanza-command',
    STANZA_CONSOLE_URL: 'http://127.0.0.1',
    STANZA_CONSOLE_CLIENT_ID: 'stanza-console',
    STANZA_CONSOLE_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  });
