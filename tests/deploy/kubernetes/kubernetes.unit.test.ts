import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { clusterSecrets } from '@stanza/local';
import { createMetrics, serveHealth } from '@stanza/runtime';
import { byName } from './by-name.ts';
import { containersOf, readCluster } from './cluster.ts';
import { parseYaml, render } from './render.ts';
import { rules } from './rules/index.ts';
import { probePaths } from './rules/pods.ts';
import { settingsOf } from './rules/settings.ts';
import { schemaProblems } from './schemas.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'deploy/kubernetes');
const overlays = ['small', 'production'] as const;

const kubectl = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' });

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
      metrics: [createMetrics({ service: 'gateway', processMetrics: false })],
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

  it('run what the image has, which one build makes', () => {
    const image = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
    const processes = readFileSync(join(root, 'deploy/image/src/run.ts'), 'utf8');
    const ours = readCluster(resources).workloads.filter((it) => it.name !== 'nats');
    const containers = ours.flatMap(containersOf);
    const known = [...processes.matchAll(/\.command\('([a-z]+)'/g)].map((it) => it[1]);
    const started = containers.filter((it) => it.command.length === 0).map((it) => it.args[0]);
    const exposed = /^EXPOSE (.*)$/m.exec(image)?.[1]?.split(' ').map(Number) ?? [];
    expect(image).toContain('-t stanza .');
    expect(image).toContain('deploy/image/dist/run.js');
    expect([...serviceNames, ...known]).toEqual(expect.arrayContaining(started));
    expect(exposed).toEqual(
      expect.arrayContaining(containers.flatMap((it) => it.ports).map((it) => it.containerPort)),
    );
  });

  it('are as the schemas of their kinds have it, without a key that those do not know', () => {
    expect(schemaProblems(resources).flat()).toEqual([]);
  });
});

describe('the example of Secrets', () => {
  const example = readCluster(parseYaml(readFileSync(join(folder, 'secrets.example.yaml'), 'utf8')));
  const keysOf = (name: string) => Object.keys(example.data('Secret', name) ?? {});

  it('shows every Secret that is made, and every key', () => {
    expect(example.manifests.map(({ name }) => name)).toEqual(secrets.items.map((it) => it.metadata.name));
    for (const { metadata, stringData } of secrets.items) {
      expect(keysOf(metadata.name)).toEqual(expect.arrayContaining(Object.keys(stringData)));
    }
  });

  it('names no key that the service would refuse', () => {
    const refused = serviceNames.flatMap((name) =>
      keysOf(name).filter((key) => !(key in settingsOf[name].shape)),
    );
    expect(refused).toEqual([]);
  });

  it('cannot be applied: no value is one that the cluster takes', () => {
    const values = example.manifests.flatMap(({ name }) => Object.values(example.data('Secret', name) ?? {}));
    expect(values.filter((it) => !/^<.+>$/.test(it))).toEqual([]);
  });
});
