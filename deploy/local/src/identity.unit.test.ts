import { describe, expect, it } from '@jest/globals';
import { consoleSettings, sandboxIdentity, sessionSettings } from './identity.ts';

describe("the gateway's identity provider", () => {
  it('is that of the sandbox by default', () => {
    expect(sessionSettings('http://127.0.0.1:9000', { STANZA_LOG_LEVEL: 'debug' })).toEqual({
      STANZA_SESSION_ISSUER: sandboxIdentity.issuer,
      STANZA_SESSION_AUDIENCE: sandboxIdentity.audience,
      STANZA_SESSION_JWKS_URL: 'http://127.0.0.1:9000/identity/.well-known/jwks.json',
    });
  });

  it("is the user's own, without settings of the sandbox, when one is set", () => {
    const own = { STANZA_SESSION_JWKS_URL: 'https://id.example.com/keys' };
    expect(sessionSettings('http://127.0.0.1:9000', own)).toEqual({});
  });
});

describe('signing in to the console', () => {
  const secrets = { identity_secret: 'shown', console_keys: 'k1:x' };
  const from = (own: Record<string, string>) =>
    consoleSettings('http://127.0.0.1:8787', 'http://127.0.0.1:9000', secrets, own);

  it("is done at the sandbox's provider, where the user names none", () => {
    expect(from({})).toEqual({
      STANZA_CONSOLE_URL: 'http://127.0.0.1:8787',
      STANZA_CONSOLE_KEYS: 'k1:x',
      STANZA_COMMAND_CLIENT_ID: 'stanza-command',
      STANZA_DECIDING_CLIENTS: 'stanza-console',
      STANZA_CONSOLE_CLIENT_ID: 'stanza-console',
      STANZA_CONSOLE_CLIENT_SECRET: 'shown',
      STANZA_CONSOLE_DISCOVERY_URL: 'http://127.0.0.1:9000/identity/.well-known/openid-configuration',
    });
  });

  it("is left to the user's provider, where they name one", () => {
    expect(Object.keys(from({ STANZA_SESSION_ISSUER: 'https://id.example.com' }))).toEqual([
      'STANZA_CONSOLE_URL',
      'STANZA_CONSOLE_KEYS',
    ]);
  });
});
