import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  eraseOrganization,
  listDeadLetters,
  type Operation,
  operations,
  resolveDeadLetter,
  serviceNames,
} from '@stanza/contracts';

const root = join(import.meta.dirname, '..');
const sources = globSync('{services,shared,deploy}/*/src/**/*.{ts,tsx}', { cwd: root });

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export) .*?from '([^']+)'/gms)].map(
    (match) => match[1] ?? '',
  );

const fileOf = ({ service, id }: Operation): string => `services/${service}/src/operations/${id}.ts`;

describe('the layout', () => {
  it('has one file for each operation, named after it, in the service that owns it', () => {
    const ofRuntime = [listDeadLetters, resolveDeadLetter, eraseOrganization].flatMap((it) =>
      Object.values<Operation>(it).map(fileOf),
    );
    const expected = operations.map(fileOf).filter((file) => !ofRuntime.includes(file));
    const found = globSync('services/*/src/operations/*.ts', { cwd: root }).filter(
      (file) => !file.endsWith('.test.ts') && !file.endsWith('/index.ts'),
    );
    expect(expected.filter((file) => !found.includes(file))).toEqual([]);
    expect(found.filter((file) => !expected.includes(file))).toEqual([]);
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

  it('declares tables in files whose names end in tables.ts', () => {
    const declaring = sources.filter((file) =>
      /^export const \w+ = table\(/m.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(declaring.length).toBeGreaterThan(10);
    expect(declaring.filter((file) => !file.endsWith('tables.ts'))).toEqual([]);
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

/** What a file imports of the files next to it: values and types, also through `import('…')`. */
const neighboursOf = (file: string): string[] => {
  const imported =
    /^(?:import|export)\b[^;'"]*?from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;
  return [...readFileSync(join(root, file), 'utf8').matchAll(imported)].map((match) =>
    join(dirname(file), match[1] ?? match[2] ?? match[3] ?? ''),
  );
};

/** The groups of files that import each other in a circle. */
const cyclesIn = (graph: ReadonlyMap<string, readonly string[]>): string[][] => {
  const order = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  /** Answers the number of the earliest open file that `file` leads to. */
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    open.push(file);
    let earliest = own;
    for (const next of graph.get(file) ?? []) {
      const known = order.get(next);
      if (known === undefined) earliest = Math.min(earliest, visit(next));
      else if (open.includes(next)) earliest = Math.min(earliest, known);
    }
    if (earliest < own) return earliest;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) cycles.push(group.sort());
    return own;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
};

/** The folders directly below `src` of a package that import each other, each pair once. */
const mutualIn = (arrows: readonly string[]): string[] => {
  const folders = new Set(
    arrows.flatMap((arrow) => {
      const [from, to] = arrow.split(' → ').map((file) => /^(\w+\/[\w-]+)\/src\/([\w-]+)\//.exec(file));
      return from && to && from[1] === to[1] && from[2] !== to[2] ? [`${from[1]}: ${from[2]} ${to[2]}`] : [];
    }),
  );
  return [...folders]
    .flatMap((arrow) => {
      const [name, one = '', other = ''] = arrow.split(' ');
      return one < other && folders.has(`${name} ${other} ${one}`) ? [`${name} ${one} ↔ ${other}`] : [];
    })
    .sort();
};

describe('imports', () => {
  it('make no circle, types included', () => {
    expect(
      cyclesIn(
        new Map([
          ['a', ['b']],
          ['b', ['c', 'd']],
          ['c', ['a']],
          ['d', ['b', 'e']],
          ['e', []],
        ]),
      ),
    ).toEqual([['a', 'b', 'c', 'd']]);
    const cycles = cyclesIn(new Map(sources.map((file) => [file, neighboursOf(file)])));
    expect(cycles).toEqual([]);
  });

  it('go one way between the folders of a package', () => {
    expect(
      mutualIn([
        'services/a/src/x/1.ts → services/a/src/y/2.ts',
        'services/a/src/y/z/3.ts → services/a/src/x/1.ts',
      ]),
    ).toEqual(['services/a: x ↔ y']);
    const arrows = sources
      .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
      .flatMap((file) => neighboursOf(file).map((target) => `${file} → ${target}`));
    expect(mutualIn(arrows)).toEqual([]);
  });

  it.each([
    ['engine', 50],
    ['block-view', 20],
  ])(
    'of %s are its own files and its dependencies: nothing of ours, of Node or of a framework',
    (name, files) => {
      const folder = `shared/${name}/src/`;
      const { dependencies = {} } = JSON.parse(
        readFileSync(join(root, `shared/${name}/package.json`), 'utf8'),
      );
      const allowed = Object.keys(dependencies).filter((name) => !name.startsWith('@stanza/'));
      expect(allowed).toEqual(name === 'engine' ? ['fastest-levenshtein'] : []);
      const shipped = sources.filter(
        (file) => file.startsWith(folder) && !/\.test\.ts$|\/testing\//.test(file),
      );
      const outside = shipped.flatMap((file) => [
        ...importsOf(file).filter((from) => !from.startsWith('.') && !allowed.includes(from)),
        ...neighboursOf(file).filter((path) => !path.startsWith(folder) || path.includes('/testing/')),
      ]);
      expect(shipped.length).toBeGreaterThan(files);
      expect(outside).toEqual([]);
    },
  );

  it('of block-view bring no markup: a drawing is made of nodes alone', () => {
    const markup = /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc)\b/;
    const found = sources.filter(
      (file) =>
        file.startsWith('shared/block-view/src/') && markup.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });
});
