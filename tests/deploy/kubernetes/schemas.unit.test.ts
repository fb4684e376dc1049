import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Change, edit, type Path } from './change.ts';
import type { Json } from './manifest.ts';
import { render } from './render.ts';
import { schemaProblems } from './schemas.ts';

const production = render(join(import.meta.dirname, '../../../deploy/kubernetes/overlays/production'));
const container: Path = ['spec', 'template', 'spec', 'containers', 0];
const deployment = (name: string, path: Path, wanted: Json | undefined): Change =>
  edit('Deployment', name, path, wanted);

const misshapen: readonly [mistake: string, change: Change, caught: string][] = [
  ['a key with a slip', deployment('gateway', [...container, 'readinesProbe'], {}), 'readinesProbe'],
  ['a number in the place of a text', deployment('gateway', [...container, 'image'], 3), "type 'string'"],
  ['a text in the place of a number', deployment('gateway', ['spec', 'replicas'], 'two'), "type 'number'"],
  [
    'a value that is none of those there are',
    deployment('gateway', [...container, 'imagePullPolicy'], 'Sometimes'),
    'Sometimes',
  ],
  ['a required key that is missing', deployment('gateway', [...container, 'name'], undefined), '"name"'],
  ['an API that has no such kind', edit('Ingress', 'gateway', ['apiVersion'], 'v1'), 'Ingress'],
  [
    "an unknown key of an operator's kind",
    edit('ScaledObject', 'delivery', ['spec', 'coolDownPeriod'], 5),
    'coolDownPeriod',
  ],
  ['a key at the wrong depth', edit('HorizontalPodAutoscaler', 'gateway', ['maxReplicas'], 5), 'maxReplicas'],
];

describe('a resource against the schema of its kind', () => {
  it('is refused for every mistake', () => {
    const broken = misshapen.map(([mistake, change]) => {
      const [resource] = change(production).filter((it) => !production.includes(it));
      if (resource === undefined) throw new Error(`${mistake} changes nothing`);
      return resource;
    });
    const problems = schemaProblems(broken);
    const found = misshapen.map(([mistake], index) => [mistake, problems[index]?.join(' ') ?? '']);
    expect(found).toEqual(misshapen.map(([mistake, , caught]) => [mistake, expect.stringContaining(caught)]));
  });
});
