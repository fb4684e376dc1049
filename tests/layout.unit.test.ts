import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { operations, serviceNames } from '@stanza/contracts';

const root = join(import.meta.dirname, '..');
const sources = globSync('{services,shared,deploy}/*/src/**/*.ts', { cwd: root });

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export) .*?from '([^']+)'/gms)].map(
    (match) => match[1] ?? '',
  );

describe('the layout', () => {
  it('has one file for each operation, named after it, in the service that owns it', () => {
    const missing = operations
      .map((it) => `services/${it.service}/src/operations/${it.id}.ts`)
      .filter((file) => !existsSync(join(root, file)));
    expect(missing).toEqual([]);
  });

  it('lets no service import another service', () => {
    const names = serviceNames.map((name) => `@stanza/${name}`);
    const crossing = sources
      .filter((file) => file.startsWith('services/') && !file.endsWith('.test.ts'))
      .flatMap((file) =>
        importsOf(file)
          .filter((from) => names.includes(from))
          .map((from) => `${file} → ${from}`),
      );
    expect(crossing).toEqual([]);
  });

  it('keeps contracts free of everything but itself, and runtime free of services', () => {
    const outside = (folder: string, allowed: string[]) =>
      sources
        .filter(
          (file) => file.startsWith(folder) && !file.endsWith('.test.ts') && !file.includes('/testing/'),
        )
        .flatMap((file) => importsOf(file))
        .filter((from) => from.startsWith('@stanza/') && !allowed.includes(from));
    expect(outside('shared/contracts/', [])).toEqual([]);
    expect(outside('shared/runtime/', ['@stanza/contracts'])).toEqual([]);
  });

  it('keeps I/O out of the rules: domain and engine import no database, broker or HTTP', () => {
    const io = /^(pg|typeorm|express|undici|node:(fs|net|http|https|child_process)|@nats-io\/|@slack\/)/;
    const found = sources
      .filter((file) => /\/src\/(domain|engine)\//.test(file) && !/\.test\.ts$|\/testing\//.test(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((from) => io.test(from))
          .map((from) => `${file} → ${from}`),
      );
    expect(found).toEqual([]);
  });

  it('keeps SQL in stores and migrations', () => {
    const sql = /`\s*(select|insert into|update|delete from)\s/;
    const found = sources.filter(
      (file) =>
        file.startsWith('services/') &&
        !/\/(store|testing)\//.test(file) &&
        !file.endsWith('.test.ts') &&
        sql.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });

  it('makes no code out of text: no eval, no Function, no vm', () => {
    const dynamic = /\beval\s*\(|\bFunction\s*\(|from 'node:vm'|\bset(?:Timeout|Interval)\(\s*['"`]/;
    expect(dynamic.test('return new Function(text)')).toBe(true);
    const found = sources.filter(
      (file) => !file.endsWith('.test.ts') && dynamic.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });
});
