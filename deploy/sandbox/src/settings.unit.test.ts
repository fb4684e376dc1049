import { describe, expect, it } from '@jest/globals';
import { defaultIdentity, readSettings } from './settings.ts';

describe('readSettings', () => {
  it('listens on loopback and any free port unless told otherwise', () => {
    expect(readSettings({})).toMatchObject({ host: '127.0.0.1', port: 0 });
    expect(readSettings({ STANZA_SANDBOX_HOST: '::1', STANZA_SANDBOX_PORT: '8080' })).toMatchObject({
      host: '::1',
      port: 8080,
    });
  });

  it('names its identity provider and the audience of its tokens', () => {
    expect(readSettings({}).identity).toMatchObject({ ...defaultIdentity, secret: undefined });
    const given = { STANZA_SANDBOX_ISSUER: 'https://id.example.com', STANZA_SANDBOX_AUDIENCE: 'acme' };
    expect(readSettings(given).identity).toMatchObject({
      issuer: 'https://id.example.com',
      audience: 'acme',
    });
  });

  it('takes a secret of the provider, and names of the sandbox', () => {
    const given = {
      STANZA_SANDBOX_IDENTITY_SECRET: 'sixteen-or-longer',
      STANZA_SANDBOX_HOSTS: 'sandbox, other',
    };
    expect(readSettings(given)).toMatchObject({
      identity: { secret: 'sixteen-or-longer' },
      hosts: ['sandbox', 'other'],
    });
    expect(() => readSettings({ STANZA_SANDBOX_IDENTITY_SECRET: 'short' })).toThrow(/IDENTITY_SECRET/);
  });

  it("refuses a port that is none, by the setting's name", () => {
    expect(() => readSettings({ STANZA_SANDBOX_PORT: '80a' })).toThrow(/STANZA_SANDBOX_PORT/);
    expect(() => readSettings({ STANZA_SANDBOX_PORT: '65536' })).toThrow(/STANZA_SANDBOX_PORT/);
  });
});
