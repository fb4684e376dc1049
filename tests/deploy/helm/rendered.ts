import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { type JsonObject, manifestOf } from '../kubernetes/manifest.ts';
import { parseYaml } from '../kubernetes/render.ts';

export const chart = join(import.meta.dirname, '../../../deploy/helm/stanza');

export const helm = (args: readonly string[], values: JsonObject = {}) =>
  spawnSync('helm', [...args, '--values', '-'], { encoding: 'utf8', input: JSON.stringify(values) });

/** Where there is no helm, nothing is rendered; .ci/run brings one. */
export const whenThere = spawnSync('helm', ['version']).status === 0 ? describe : describe.skip;

/** The resources of the chart with these values. */
export const rendered = (values: JsonObject): JsonObject[] => {
  const { stdout, stderr, status } = helm(['template', 'stanza', chart, '--namespace', 'stanza'], values);
  if (status !== 0) throw new Error(stderr);
  return parseYaml(stdout);
};

/** The one of a kind and name, as `Deployment/gateway`. */
export const named = (resources: readonly JsonObject[], key: string): JsonObject => {
  const found = resources.find((it) => `${manifestOf(it).kind}/${manifestOf(it).name}` === key);
  if (found === undefined) throw new Error(`there is no ${key}`);
  return found;
};
