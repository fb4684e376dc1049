import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pageText, root } from './markdown.ts';

interface Threat {
  threat: string;
  stops: string;
  file: string;
  test: string;
}

const row = /^\| [STRIDE] \| (?<threat>[^|]+) \| (?<stops>[^|]+) \| (?<file>\S+) "(?<test>[^|]+)" \|$/gm;

const threats: Threat[] = [...pageText('docs/threat-model.md').matchAll(row)].map(({ groups = {} }) => ({
  threat: groups.threat ?? '',
  stops: groups.stops ?? '',
  file: groups.file ?? '',
  test: groups.test ?? '',
}));

describe('the threat model', () => {
  it('has every row in the form that is checked, with a test', () => {
    const rows = pageText('docs/threat-model.md').match(/^\| [STRIDE] \|/gm) ?? [];
    expect(threats).toHaveLength(rows.length);
    expect(threats.length).toBeGreaterThan(30);
  });

  it.each(threats.map((it) => [it.threat, it] as const))(
    'names a test that shows what stops %s',
    (_, { file, test }) => {
      const named = pageText(file).match(/^ *(?:it|describe)(?:\.each\b|\()[\s\S]*?$/gm) ?? [];
      expect(named.some((line) => ["'", '"', '`'].some((quote) => line.includes(quote + test + quote)))).toBe(
        true,
      );
    },
  );

  it('names source files that exist', () => {
    const named = threats.flatMap(({ stops }) => [
      ...stops.matchAll(/`((?:services|shared|deploy)\/[^`]+)`/g),
    ]);
    expect(named.length).toBeGreaterThan(5);
    for (const [, file = ''] of named) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  });
});
