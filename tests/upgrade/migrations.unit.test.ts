import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { migrationModules } from '@stanza/test-kit/database';
import { exceptions } from './exceptions.ts';
import { type Breach, breachesOf, rules } from './expand-only.ts';
import { recordMigrations } from './recorded.ts';

const isMeant = ({ migration, rule }: Breach): boolean =>
  exceptions.some((it) => it.migration === migration && it.rule === rule);

describe('the migrations', () => {
  const found: Breach[] = [];

  it.each(serviceNames)('of %s run beside the version before', async (service) => {
    const { migrations } = await migrationModules[service]();
    const breaches = breachesOf(await recordMigrations(migrations));
    found.push(...breaches);
    const lines = breaches
      .filter((it) => !isMeant(it))
      .map((it) => `${it.migration}: ${it.statement}\n  ${it.rule}: ${rules[it.rule]}`);
    expect(lines).toEqual([]);
  });

  it('need every exception that is made for them', () => {
    const unused = exceptions.filter(
      ({ migration, rule }) => !found.some((it) => it.migration === migration && it.rule === rule),
    );
    expect(unused).toEqual([]);
  });
});
