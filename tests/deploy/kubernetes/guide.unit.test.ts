import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clusterSecrets } from '@stanza/local';
import { readCluster } from './cluster.ts';
import { render } from './render.ts';
import { sizeRows } from './sizes.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
const secrets = await clusterSecrets('postgres://db.example:5432/stanza', 'stanza');
const clusterOf = (overlay: string) =>
  readCluster([...render(join(root, 'deploy/kubernetes/overlays', overlay)), ...secrets.items]);
const production = clusterOf('production');

const commands = [...page.matchAll(/```sh\n(.*?)```/gs)].flatMap((it) => it[1]?.trim().split('\n') ?? []);
const kubectl = commands.filter((it) => it.startsWith('kubectl '));
const kinds: Record<string, string> = {
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  job: 'Job',
  service: 'Service',
};

describe('the page on clusters', () => {
  it('has the sizes that the overlays ask for', () => {
    const rows = sizeRows(clusterOf('small'), production);
    expect(page.split('\n').filter((line) => rows.includes(line))).toEqual(rows);
  });

  it('names in its commands what there is', () => {
    const named = kubectl
      .flatMap((it) => [...it.matchAll(/\b([a-z]+)\/([a-z-]+)\b(?!\/)/g)])
      .map(([, kind = '', name = '']) => ({ kind: kinds[kind], name }))
      // The sandbox and its demo are the chart's alone.
      .filter((it) => it.kind !== undefined && !/^(demo-|sandbox)$/.test(it.name));
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter(({ kind = '', name }) => !production.has(kind, name))).toEqual([]);
  });

  it('applies your overlay, and none of the checkout, whose image is a placeholder', () => {
    const folders = kubectl.flatMap((it) => /-k (\S+)/.exec(it)?.[1] ?? []);
    expect(folders.length).toBeGreaterThan(2);
    expect(new Set(folders)).toEqual(new Set(['$OVERLAY']));
    expect(page).toMatch(/^OVERLAY=/m);
    const below = /^ {2}- stanza\/(\S+)/m.exec(page)?.[1] ?? '';
    expect(existsSync(join(root, below, 'kustomization.yaml'))).toBe(true);
  });

  it('applies with the label of the broker what the broker needs to be renewed', () => {
    const label = /-l (\S+?)=(\S+)/.exec(page) ?? [];
    const met = production.manifests.filter((it) => it.labels[label[1] ?? ''] === label[2]);
    expect(met.map((it) => it.kind).sort()).toEqual(['ConfigMap', 'StatefulSet']);
  });
});
