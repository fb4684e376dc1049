import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createMetrics, serveHealth } from '@stanza/runtime';
import { clusterSecrets } from '@stanza/stack';
import { containersOf, readCluster } from './cluster.ts';
import { isObject, type Json, type JsonObject, manifestOf } from './manifest.ts';
import { parseYaml, render } from './render.ts';
import { rules } from './rules/index.ts';
import { probePaths } from './rules/pods.ts';
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

const secrets = await clusterSecrets('postgres://db.example:5432/stanza', 'stanza');

describe('what the probes ask', () => {
  it('is answered by every process of a service', async () => {
    const health = await serveHealth({
      port: 0,
      host: '127.0.0.1',
      metrics: createMetrics({ service: 'gateway', processMetrics: false }),
      illness: () => undefined,
      unreadiness: () => undefined,
    });
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${health.port}${path}`)).status;
    const statuses = await Promise.all([...probePaths, '/healthz'].map(statusOf));
    await health.close();
    expect(statuses).toEqual([...probePaths.map(() => 200), 404]);
  });
});

describe.each(overlays)('the manifests of %s', (overlay) => {
  const resources = render(join(folder, 'overlays', overlay));

  it.each(Object.entries(rules))('keep the rules of %s', (_, rule) => {
    expect(rule(readCluster([...resources, ...secrets.items]))).toEqual([]);
  });

  it('run programs that the project has', () => {
    const programs = readCluster(resources)
      .workloads.flatMap(containersOf)
      .filter((it) => it.image.startsWith('registry.example.com/stanza:'))
      .flatMap((it) => it.command.filter((word) => word.endsWith('.js')));
    const missing = programs.filter(
      (it) => !existsSync(join(folder, '../..', it.replace('/dist/', '/src/').replace(/\.js$/, '.ts'))),
    );
    expect([programs.length, missing]).toEqual([6, []]);
  });

  it('are as the schemas of their kinds have it, without a key that those do not know', () => {
    expect(schemaProblems(resources).flat()).toEqual([]);
  });
});
