import { describe, expect, it } from '@jest/globals';
import { allSettings } from './configuration.ts';

describe('the reference of the settings', () => {
  const settings = allSettings();

  it.each(settings.map((it) => [it.name, it] as const))(
    'says what %s means, and how it looks',
    (_, setting) => {
      expect(setting.meaning).toMatch(/\w{3}/);
      expect(setting.type).not.toBe('0 to 0');
      // What has no default can be made after an example.
      expect(`${setting.default}${setting.example}`).not.toBe('');
    },
  );

  it('tells what no process starts without', () => {
    expect(settings.filter((it) => it.required).map((it) => it.name)).toEqual([
      'STANZA_NATS_URL',
      'STANZA_DATABASE_URL',
      'STANZA_KEY_HASH_SECRETS',
      'STANZA_ENCRYPTION_KEYS',
    ]);
  });
});
