import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prometheusRule } from './prometheus-rule.ts';
import { parseYaml } from './render.ts';
import { schemaProblems } from './schemas.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stanza-rules-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const alert = (name: string) => ({ alert: name, expr: 'up == 0', for: '5m', labels: { severity: 'page' } });
const group = (name: string) => ({ name, rules: [alert(`${name}Down`)] });

describe('the rules for the Prometheus operator', () => {
  it('are those of all files, in the order of their names, as the schema has them', () => {
    writeFileSync(join(folder, 'b.yml'), JSON.stringify({ groups: [group('Second')] }));
    writeFileSync(join(folder, 'a.yml'), JSON.stringify({ groups: [group('First')] }));
    const [resource = {}] = parseYaml(prometheusRule(folder));
    expect(resource).toMatchObject({ spec: { groups: [group('First'), group('Second')] } });
    expect(schemaProblems([resource])).toEqual([[]]);
  });

  it('are refused where a file is none of rules', () => {
    writeFileSync(join(folder, 'c.yml'), JSON.stringify({ group: [] }));
    expect(() => prometheusRule(folder)).toThrow('groups');
  });
});
