import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '@stanza/runtime';
import { settings } from './config.ts';

const needed = { STANZA_NATS_URL: 'nats://127.0.0.1', STANZA_DATABASE_URL: 'postgres://127.0.0.1/stanza' };
const provider = {
  STANZA_SESSION_ISSUER: 'https://identity.example.com',
  STANZA_SESSION_AUDIENCE: 'stanza',
  STANZA_SESSION_JWKS_URL: 'https://identity.example.com/keys',
};

describe('the settings of the identity provider', () => {
  it('are optional together', () => {
    expect(loadSettings(settings, needed).STANZA_SESSION_ISSUER).toBeUndefined();
  });

  it('default to the claims and algorithms of most providers', () => {
    expect(loadSettings(settings, { ...needed, ...provider })).toMatchObject({
      ...provider,
      STANZA_SESSION_ORGANIZATION_CLAIM: 'organization_id',
      STANZA_SESSION_ENVIRONMENT_CLAIM: 'environment',
      STANZA_SESSION_ALGORITHMS: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    });
    const named = { ...needed, ...provider, STANZA_SESSION_ALGORITHMS: 'ES512, RS256' };
    expect(loadSettings(settings, named).STANZA_SESSION_ALGORITHMS).toEqual(['ES512', 'RS256']);
  });

  it('are refused when incomplete, naming each missing one', () => {
    const { STANZA_SESSION_AUDIENCE: _, ...part } = provider;
    expect(() => loadSettings(settings, { ...needed, ...part })).toThrow(
      'STANZA_SESSION_AUDIENCE is required',
    );
  });

  it.each(['HS256', 'none', '', 'RS256,HS512'])('accept no shared-secret algorithm: %j', (name) => {
    const given = { ...needed, ...provider, STANZA_SESSION_ALGORITHMS: name || ',' };
    expect(() => loadSettings(settings, given)).toThrow('STANZA_SESSION_ALGORITHMS');
  });

  it('accept http and https URLs only', () => {
    const given = { ...needed, ...provider, STANZA_SESSION_JWKS_URL: 'file:///etc/passwd' };
    expect(() => loadSettings(settings, given)).toThrow('STANZA_SESSION_JWKS_URL');
  });
});
