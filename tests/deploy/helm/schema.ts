import { serviceNames } from '@stanza/contracts';
import { isObject, type Json, type JsonObject } from '../kubernetes/manifest.ts';
import { parseYaml } from '../kubernetes/render.ts';
import { settingsOf } from '../kubernetes/rules/settings.ts';

const closed = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
});
const anyObject: JsonObject = { type: 'object' };
const mapOf = (of: Json): JsonObject => ({ type: 'object', additionalProperties: of });
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });

const text: JsonObject = { type: 'string' };
const scalar: JsonObject = { type: ['string', 'number', 'boolean'] };
const atLeast = (minimum: number): JsonObject => ({ type: 'integer', minimum });
const port: JsonObject = { ...atLeast(1), maximum: 65_535 };
const objects = listOf(anyObject);
const named = listOf({ type: 'object', required: ['name'] });

/** Ports that Services, probes and NetworkPolicies name. */
const fixed = ['STANZA_METRICS_PORT', 'STANZA_PORT'];

/** What a service gets by its settings: its own, and those of Node and of tracing. */
const settings = Object.fromEntries(
  serviceNames.map((name) => {
    const open = Object.keys(settingsOf[name].shape).filter((key) => !fixed.includes(key));
    const own = open.map((key): [string, Json] => [key, scalar]);
    return [name, closed(Object.fromEntries(own), { patternProperties: { '^(NODE|OTEL)_': scalar } })];
  }),
);

/** Values of which the default does not say what may stand there. A path ends as its key does. */
const known: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(
    serviceNames.map((name) => [`services.${name}.settings`, settings[name] ?? anyObject]),
  ),
  resources: closed({ requests: mapOf(scalar), limits: mapOf(scalar), claims: named }),
  annotations: mapOf(text),
  labels: mapOf(text),
  ports: listOf(port),
  podAnnotations: mapOf(text),
  nodeSelector: mapOf(text),
  tolerations: objects,
  env: listOf({ type: 'object', required: ['name'], properties: { name: text, value: text } }),
  'image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  'image.pullSecrets': named,
  'nats.zones': { enum: ['DoNotSchedule', 'ScheduleAnyway'] },
  'ingress.tls': objects,
  'route.hostnames': listOf(text),
  'route.parentRefs': named,
  'network.collector': objects,
  'postgres.parameters': mapOf(scalar),
  // A service may be scaled to zero by hand; a class of priority may be below it.
  replicas: atLeast(0),
  'priorityClass.value': { type: 'integer' },
};

/**
 * Values that have no default: the one port of values of 0.2.0 and a key that its file had by mistake, and what Helm
 * gives every chart below another.
 */
const further: Readonly<Record<string, JsonObject>> = {
  '': { global: anyObject, '  parameters': anyObject },
  'network.postgres': { port },
};

const schemaOf = (value: Json, path: string): JsonObject => {
  const said = known[path] ?? known[path.slice(path.lastIndexOf('.') + 1)];
  if (said) return said;
  if (Array.isArray(value)) return listOf(text);
  if (typeof value === 'number') return atLeast(1);
  if (!isObject(value)) return { type: typeof value };
  const properties = Object.entries(value).map(([key, it]): [string, Json] => [
    key,
    schemaOf(it, path === '' ? key : `${path}.${key}`),
  ]);
  return closed({ ...Object.fromEntries(properties), ...further[path] });
};

/** The schema by which Helm refuses values that the chart does not know, one line a value. */
export const valuesSchema = (values: string): string => {
  const [parsed] = parseYaml(values);
  const { properties, ...rest } = schemaOf(parsed ?? {}, '');
  const lines = Object.entries(isObject(properties) ? properties : {}).map(
    ([key, it]) => `${JSON.stringify(key)}: ${JSON.stringify(it)}`,
  );
  const head = JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...rest });
  return `${head.slice(0, -1)}, "properties": {\n${lines.join(',\n')}\n}}\n`;
};
