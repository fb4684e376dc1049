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
  it('may all be left out', () => {
    expect(loadSettings(settings, needed).STANZA_SESSION_ISSUER).toBeUndefined();
  });

  it('have claims and signatures that most providers use, unless others are named', () => {
    expect(loadSettings(settings, { ...needed, ...provider })).toMatchObject({
      ...provider,
      STANZA_SESSION_ORGANIZATION_CLAIM: 'organization_id',
      STANZA_SESSION_ENVIRONMENT_CLAIM: 'environment',
      STANZA_SESSION_ALGORITHMS: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    });
    const named = { ...needed, ...provider, STANZA_SESSION_ALGORITHMS: 'ES512, RS256' };
    expect(loadSettings(settings, named).STANZA_SESSION_ALGORITHMS).toEqual(['ES512', 'RS256']);
  });

  it('are refused in part, each by its name', () => {
    const { STANZA_SESSION_AUDIENCE: _, ...part } = provider;
    expect(() => loadSettings(settings, { ...needed, ...part })).toThrow(
      'STANZA_SESSION_AUDIENCE is required',
    );
  });

  it.each(['HS256', 'none', '', 'RS256,HS512'])('take no signature by a shared secret: %j', (name) => {
    const given = { ...needed, ...provider, STANZA_SESSION_ALGORITHMS: name || ' ' };
    expect(() => loadSettings(settings, given)).toThrow('STANZA_SESSION_ALGORITHMS');
  });

  it('take no address but one of the web', () => {
    const given = { ...needed, ...provider, STANZA_SESSION_JWKS_URL: 'file:///etc/passwd' };
    expect(() => loadSettings(settings, given)).toThrow('STANZA_SESSION_JWKS_URL');
  });
});
