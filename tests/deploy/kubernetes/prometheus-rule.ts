import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { jsonSchema } from './manifest.ts';
import { parseYaml } from './render.ts';

const root = join(import.meta.dirname, '../../..');

/** A file of rules, as Prometheus itself reads it. */
const rulesSchema = z.strictObject({ groups: z.array(z.record(z.string(), jsonSchema)) });

/** The rules of deploy/prometheus/rules as a resource of the Prometheus operator: one source, two ways to load it. */
export const prometheusRule = (folder = join(root, 'deploy/prometheus/rules')): string => {
  const files = globSync('*.yml', { cwd: folder }).sort();
  const groups = files
    .flatMap((file) => parseYaml(readFileSync(join(folder, file), 'utf8')))
    .flatMap((document) => rulesSchema.parse(document).groups);
  const resource = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'stanza' },
    spec: { groups },
  };
  return `# Made from deploy/prometheus/rules: npm run docs writes it.\n${stringify(resource, { lineWidth: 0 })}`;
};
