import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { faultsOf, knownSeries, strangeValues } from './expressions.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'deploy/prometheus');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

const alertSchema = z.strictObject({
  alert: z.string().regex(/^([A-Z][a-z]+)+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({
    summary: z.string().min(10),
    description: z.string().includes('$value'),
    runbook_url: z.string(),
  }),
});
const recordSchema = z.strictObject({ record: z.string(), expr: z.string() });
const rulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(z.union([alertSchema, recordSchema])) })),
});
const testsSchema = z.looseObject({ tests: z.array(z.looseObject({ name: z.string() })) });

const rules = globSync('deploy/prometheus/rules/*.yml', { cwd: root }).flatMap((file) =>
  rulesSchema.parse(parse(text(file))).groups.flatMap((group) => group.rules),
);
const alerts = rules.filter((rule) => 'alert' in rule);
const recorded = new Set(rules.flatMap((rule) => ('record' in rule ? [rule.record] : [])));
const known = knownSeries();
const kebab = (name: string): string => name.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase();

const promtool = spawnSync('promtool', ['--version'], { encoding: 'utf8' });
const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
  return { status, said: status === 0 ? '' : `${stdout}${stderr}` };
};

describe('the rules of Prometheus', () => {
  it.each(rules.map((rule) => ['alert' in rule ? rule.alert : rule.record, rule.expr]))(
    '%s asks for nothing that no process tells',
    (_name, expr) => {
      expect([...faultsOf(expr, known, recorded), ...strangeValues(expr)]).toEqual([]);
    },
  );

  it.each([...new Set(alerts.map((rule) => rule.alert))])('%s has a page that says what to do', (alert) => {
    const page = `docs/runbooks/${kebab(alert)}.md`;
    for (const rule of alerts.filter((it) => it.alert === alert)) {
      expect(rule.annotations.runbook_url).toBe(page);
    }
    expect(text(page)).toMatch(new RegExp(`^# ${alert}\n[^]+## Diagnosis\n[^]+## Remedy\n`));
    expect(text('docs/runbooks/README.md')).toContain(`[${alert}](${kebab(alert)}.md)`);
  });

  it('have a test of each alert that fires and one that is quiet', () => {
    const names = ['alerts', 'exporters'].flatMap((file) =>
      testsSchema.parse(parse(text(`deploy/prometheus/tests/${file}.yml`))).tests.map((it) => it.name),
    );
    const objectives = text('deploy/prometheus/tests/objectives.yml');
    for (const { alert } of alerts) {
      if (recorded.has(`stanza:${kebab(alert).replaceAll('-', '_')}:error_ratio_5m`)) {
        expect(objectives).toContain(`alertname="${alert}"`);
      } else expect(names).toEqual(expect.arrayContaining([`${alert} fires`, `${alert} is quiet`]));
    }
  });
});

/** Where there is no promtool, it is not asked; "npm test" says so. */
if (promtool.status === 0) {
  describe('to Prometheus itself, the rules', () => {
    it('are rules that it takes', () => {
      expect(run('check', 'rules', ...globSync('rules/*.yml', { cwd: folder }))).toEqual({
        status: 0,
        said: '',
      });
    });

    it('fire when they should and are quiet when they should not', () => {
      const files = globSync('tests/*.yml', { cwd: folder });
      expect(files.length).toBeGreaterThan(1);
      expect(run('test', 'rules', ...files)).toEqual({ status: 0, said: '' });
    });
  });
}

describe('the check of expressions', () => {
  it.each([
    ['sum(rate(stanza_nothing_total[5m]))', 'no series stanza_nothing_total'],
    ['sum by (channel) (stanza_batches)', 'no label channel'],
    ['stanza_batches{queue="x"}', 'no label queue of stanza_batches'],
    ['stanza_batches{status="lost"}', 'stanza_batches: status is never lost'],
    ['stanza_chat_call_seconds_bucket{le="0.3"}', 'stanza_chat_call_seconds_bucket: no bucket 0.3'],
    ['max(stanza_chat_call_seconds)', 'no series stanza_chat_call_seconds'],
  ])('finds what is wrong with %s', (expression, fault) => {
    expect([...faultsOf(expression, known), ...strangeValues(expression)]).toContain(fault);
  });
});
