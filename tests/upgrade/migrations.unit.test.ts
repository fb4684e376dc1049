import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { Baseline } from '@stanza/runtime';
import { migrationModules } from '@stanza/test-kit/database';
import { exceptions } from './exceptions.ts';
import { type Breach, breachesOf, rules } from './expand-only.ts';
import { recordMigrations } from './recorded.ts';

const root = join(import.meta.dirname, '../..');

const isMeant = ({ migration, rule }: Breach): boolean =>
  exceptions.some((it) => it.migration === migration && it.rule === rule);

describe('the migrations', () => {
  const found: Breach[] = [];

  it.each(serviceNames)('of %s run beside the previous version', async (service) => {
    const { migrations } = await migrationModules[service]();
    const breaches = breachesOf(await recordMigrations(migrations));
    found.push(...breaches);
    const lines = breaches
      .filter((it) => !isMeant(it))
      .map((it) => `${it.migration}: ${it.statement}\n  ${it.rule}: ${rules[it.rule]}`);
    expect(lines).toEqual([]);
  });

  it.each(serviceNames)(
    'of %s are in the order of their numbers, each with one of its own',
    async (service) => {
      const { migrations } = await migrationModules[service]();
      const names = migrations.map((make) => new make().name ?? make.name);
      const numbers = names.map((name) => Number(/[A-Za-z](\d{13})$/.exec(name)?.[1]));
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
      const folder = join(root, 'services', service, 'src/store/migrations');
      const files = globSync('[0-9]*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
      expect(files.map((file) => Number(file.slice(0, 13))).sort()).toEqual(numbers);
    },
  );

  it('have numbers that no other service has, but for the baselines', async () => {
    const all = await Promise.all(serviceNames.map(async (it) => (await migrationModules[it]()).migrations));
    const later = all.flat().filter((make) => !(new make() instanceof Baseline));
    const numbers = later.map((make) => (new make().name ?? make.name).slice(-13));
    expect(numbers.filter((it, at) => numbers.indexOf(it) !== at)).toEqual([]);
  });

  it('need every exception that is made for them', () => {
    const unused = exceptions.filter(
      ({ migration, rule }) => !found.some((it) => it.migration === migration && it.rule === rule),
    );
    expect(unused).toEqual([]);
  });
});
