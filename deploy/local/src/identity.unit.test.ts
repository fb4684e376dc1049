import { describe, expect, it } from '@jest/globals';
import { sandboxIdentity, sessionSettings } from './identity.ts';

describe("the gateway's identity provider", () => {
  it("is the sandbox's, where the user names none", () => {
    expect(sessionSettings('http://127.0.0.1:9000', { STANZA_LOG_LEVEL: 'debug' })).toEqual({
      STANZA_SESSION_ISSUER: sandboxIdentity.issuer,
      STANZA_SESSION_AUDIENCE: sandboxIdentity.audience,
      STANZA_SESSION_JWKS_URL: 'http://127.0.0.1:9000/identity/.well-known/jwks.json',
    });
  });

  it("is the user's own and nothing of the sandbox's, where they name one", () => {
    const own = { STANZA_SESSION_JWKS_URL: 'https://id.example.com/keys' };
    expect(sessionSettings('http://127.0.0.1:9000', own)).toEqual({});
  });
});
