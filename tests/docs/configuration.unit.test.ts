import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { settingsOf } from '../deploy/kubernetes/rules/settings.ts';
import { allSettings, configurationPage } from './configuration.ts';

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

  it.each(serviceNames)('says of each setting what it means to the service %s', (service) => {
    const sections = configurationPage().replaceAll('\\<', '<').split('\n## ');
    const common = ['Every service\n', ...(service === 'compile' ? [] : ['Every service with a schema'])];
    const titles = [...common, `The ${service} service\n`];
    const rows = sections
      .filter((it) => titles.some((title) => it.startsWith(title)))
      .join('\n')
      .split('\n');
    const missing = Object.entries(settingsOf[service].shape).filter(
      ([name, { description = '' }]) =>
        !rows.some((row) => row.startsWith(`| \`${name}\` |`) && row.includes(description)),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('tells what no process starts without', () => {
    expect(settings.filter((it) => it.required).map((it) => it.name)).toEqual([
      'STANZA_NATS_URL',
      'STANZA_DATABASE_URL',
      'STANZA_KEY_HASH_SECRETS',
      'STANZA_ENCRYPTION_KEYS',
    ]);
  });
});
