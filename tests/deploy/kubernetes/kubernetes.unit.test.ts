import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isObject, type Json, type JsonObject, manifestOf } from './manifest.ts';
import { parseYaml, render } from './render.ts';
import { schemaProblems } from './schemas.ts';

const folder = join(import.meta.dirname, '../../../deploy/kubernetes');
const overlays = ['small', 'production'] as const;

const kubectl = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' });

/** Lists that are merged item by item have no order of their own. */
const sorted = (value: Json): Json => {
  if (Array.isArray(value)) {
    const items = value.map(sorted);
    return items.every(isObject)
      ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
};

const byName = (resources: readonly JsonObject[]): Record<string, Json> =>
  Object.fromEntries(
    resources.map((it) => {
      const { kind, name } = manifestOf(it);
      return [`${kind}/${name}`, sorted(it)];
    }),
  );

/** Where there is no kubectl, nothing is compared; "npm test" says so. */
const comparable = kubectl.status === 0 ? overlays : [];

describe('the renderer', () => {
  for (const overlay of comparable) {
    it(`makes of ${overlay} what kubectl makes of it`, () => {
      const { stdout, stderr } = spawnSync('kubectl', ['kustomize', join(folder, 'overlays', overlay)], {
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect(byName(render(join(folder, 'overlays', overlay)))).toEqual(byName(parseYaml(stdout)));
    });
  }
});

describe.each(overlays)('the manifests of %s', (overlay) => {
  const resources = render(join(folder, 'overlays', overlay));

  it('are as the schemas of their kinds have it, without a key that those do not know', () => {
    expect(schemaProblems(resources).flat()).toEqual([]);
  });
});
