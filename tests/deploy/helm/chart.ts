import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@stanza/contracts';
import { type JsonObject, manifestOf } from '../kubernetes/manifest.ts';
import { parseYaml, render } from '../kubernetes/render.ts';
import { conditionFor, merged, type Variant, wrapped } from './merged.ts';
import { quoted, serviceOf, templateOf, unhashed } from './resource-template.ts';
import { valuesSchema } from './schema.ts';
import { chartValues } from './values.ts';

const root = join(import.meta.dirname, '../../..');
const kubernetes = join(root, 'deploy/kubernetes');

/** KEDA scales these by due jobs. */
const jobScaled = '(list "organization" "delivery" "queue-ingest")';

/** Under which values a resource is there. */
const conditionOf = (kind: string, name: string): string | undefined => {
  if (kind === 'Ingress') return '$.Values.ingress.enabled';
  if (['ServiceMonitor', 'PrometheusRule'].includes(kind)) return '$.Values.monitoring.enabled';
  if (kind === 'ScaledObject') return 'and $.Values.autoscaling.enabled $.Values.keda.enabled';
  if (kind === 'HorizontalPodAutoscaler')
    return `and $.Values.autoscaling.enabled (not (and $.Values.keda.enabled (has $name ${jobScaled})))`;
  if (name === 'nats')
    return kind === 'NetworkPolicy'
      ? 'and $.Values.network.policies $.Values.nats.enabled'
      : '$.Values.nats.enabled';
  if (kind === 'Service' && name === 'nats-peers') return '$.Values.nats.enabled';
  return kind === 'NetworkPolicy' ? '$.Values.network.policies' : undefined;
};

/** Autoscalers by processor, for clusters without KEDA, whose component takes those of three services away. */
const autoscalers = (): JsonObject[] =>
  parseYaml(readFileSync(join(kubernetes, 'overlays/production/autoscaling.yaml'), 'utf8'));

const keyOf = (resource: JsonObject): string => {
  const { kind, name } = manifestOf(resource);
  return `${kind} ${kind === 'ConfigMap' ? unhashed(name) : name}`;
};

const files = ['nats', 'migrate', 'admin'];

const fileOf = (kind: string, name: string): string => {
  if (['ServiceMonitor', 'PrometheusRule'].includes(kind)) return 'monitoring';
  if (serviceOf(name)) return 'services';
  return files.find((it) => it === name || (it === 'nats' && name === 'nats-peers')) ?? 'network';
};

interface Documents {
  file: string;
  condition: string | undefined;
  variants: Variant[];
}

/** The resources of both overlays; those of one kind are together for all services. */
const documents = (): Documents[] => {
  const production = [...render(join(kubernetes, 'overlays/production')), ...autoscalers()];
  const small = new Map(render(join(kubernetes, 'overlays/small')).map((it) => [keyOf(it), it]));
  const all = new Map(production.map((it) => [keyOf(it), it]));
  const found = new Map<string, Documents>();
  for (const [key, resource] of all) {
    const { kind, name: hashed } = manifestOf(resource);
    if (kind === 'Namespace') continue;
    const name = kind === 'ConfigMap' ? unhashed(hashed) : hashed;
    const file = fileOf(kind, name);
    const together = file === 'services' ? kind : key;
    const variants = found.get(together)?.variants ?? [];
    found.set(together, { file, condition: conditionOf(kind, name), variants });
    const alone = ['Ingress', 'ServiceMonitor', 'PrometheusRule'].includes(kind);
    const other = alone ? resource : small.get(key);
    variants.push({ name, small: false, text: templateOf(resource, false) });
    if (other) variants.push({ name, small: true, text: templateOf(other, true) });
  }
  return [...found.values()];
};

/** A document of the chart, which is there where one of its variants is. */
const documentOf = ({ file, condition, variants }: Documents): string => {
  const names = file === 'services' ? serviceNames : [variants[0]?.name ?? ''];
  const all = names.flatMap((name) =>
    [false, true].map(
      (small) => variants.find((it) => it.name === name && it.small === small) ?? { name, small, text: '' },
    ),
  );
  return wrapped(condition, `---\n${wrapped(conditionFor(variants, all), merged(variants))}`);
};

const made = '{{- /* Made from deploy/kubernetes: npm run docs writes it. */ -}}\n';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const indentedRules = (rules: string): string => {
  const [, groups = ''] = rules.split(/^spec:\n/m);
  return groups.replaceAll(/^ {2}/gm, '');
};

/** The files of the chart that are made from the overlays, given what belongs to both. */
export const chartFiles = (users: string, rules: string): Record<string, string> => {
  const bodies: Record<string, string> = {};
  for (const it of documents()) bodies[it.file] = (bodies[it.file] ?? '') + documentOf(it);
  bodies.services = `{{- range $name := list ${quoted(serviceNames)} }}\n${bodies.services}{{- end }}\n`;
  const templates = Object.entries(bodies).map(([file, body]) => [
    `deploy/helm/stanza/templates/${file}.yaml`,
    made + body,
  ]);
  const values = chartValues(kubernetes);
  return {
    'deploy/helm/stanza/values.yaml': values,
    'deploy/helm/stanza/values.schema.json': valuesSchema(values),
    ...Object.fromEntries(templates),
    'deploy/helm/stanza/files/rules.yaml': indentedRules(rules),
    'deploy/helm/stanza/files/users.conf': users,
    'deploy/helm/stanza/files/nats-one.conf': read('deploy/kubernetes/base/nats/nats.conf'),
    'deploy/helm/stanza/files/nats-three.conf': read('deploy/kubernetes/overlays/production/nats.conf'),
  };
};
