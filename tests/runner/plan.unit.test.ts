import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolders } from '../kit/local/folder.ts';
import { pathPatterns, planRun, readPlan, recordSeconds, unmatchedPaths, writePlan } from './plan.ts';

const newFolder = testFolders();

const checkout = async () => {
  const root = await newFolder();
  const record = join(root, '.stanza/test-times.json');
  for (const file of [
    'services/gateway/src/a.unit.test.ts',
    'services/gateway/dist/a.unit.test.ts',
    'services/gateway/src/a.ts',
    'deploy/local/src/b.int.test.ts',
    'tests/e2e/c.e2e.test.ts',
  ]) {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), '');
  }
  return { root, record, path: (file: string) => join(root, file) };
};

describe('the plan of a run', () => {
  it('holds the test files of its levels, not what was built', async () => {
    const { path, ...place } = await checkout();
    expect([...planRun(['unit', 'int'], [], place).keys()].sort()).toEqual([
      path('deploy/local/src/b.int.test.ts'),
      path('services/gateway/src/a.unit.test.ts'),
    ]);
  });

  it('holds of these only the files whose paths match a part', async () => {
    const { path, ...place } = await checkout();
    expect([...planRun(['unit', 'int', 'e2e'], ['local', 'E2E'], place).keys()].sort()).toEqual([
      path('deploy/local/src/b.int.test.ts'),
      path('tests/e2e/c.e2e.test.ts'),
    ]);
  });

  it('has nothing for a part that only files of other levels have in their paths', async () => {
    const { path: _, ...place } = await checkout();
    expect(unmatchedPaths(['unit', 'int'], ['local', 'e2e/c', 'gateway'], place)).toEqual(['e2e/c']);
    expect(unmatchedPaths(['e2e'], ['e2e/c'], place)).toEqual([]);
  });

  it('looks at no folder above the checkout', async () => {
    const { path, ...place } = await checkout();
    const above = place.root.split('/').at(-1) ?? '';
    expect([...planRun(['unit', 'int', 'e2e'], [above], place).keys()]).toEqual([]);
    const [pattern = ''] = pathPatterns([above], place.root);
    expect(new RegExp(pattern).test(path('tests/e2e/c.e2e.test.ts'))).toBe(false);
    const [matching = ''] = pathPatterns(['e2e/c'], place.root);
    expect(new RegExp(matching).test(path('tests/e2e/c.e2e.test.ts'))).toBe(true);
  });

  it('expects of a file what it took the last time', async () => {
    const { path, ...place } = await checkout();
    const file = path('tests/e2e/c.e2e.test.ts');
    await recordSeconds(new Map([[file, 12.5]]), place);
    await recordSeconds(new Map([[path('tests/e2e/other.e2e.test.ts'), 1]]), place);
    expect(planRun(['e2e'], [], place).get(file)).toBe(12.5);
  });

  it('does without a record that is damaged', async () => {
    const { path, ...place } = await checkout();
    await mkdir(join(place.root, '.stanza'));
    await writeFile(place.record, '{"half":');
    expect(planRun(['e2e'], [], place).get(path('tests/e2e/c.e2e.test.ts'))).toBeGreaterThan(0);
  });

  it('reaches another process by a file', async () => {
    const plan = new Map([['/a', 3]]);
    const env = await writePlan(join(await newFolder(), 'plan.json'), plan);
    expect(readPlan(env)).toEqual(plan);
    expect(readPlan({})).toEqual(new Map());
  });
});
