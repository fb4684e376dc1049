import { type ServiceName, serviceNames } from '@stanza/contracts';
import { isObject, type Json, type JsonObject, manifestOf } from '../kubernetes/manifest.ts';
import { included, lines, templateText, value, when, yamlOf } from './template-text.ts';

const object = (it: Json | undefined): JsonObject => (isObject(it) ? it : {});
const list = (it: Json | undefined): JsonObject[] => (Array.isArray(it) ? it.filter(isObject) : []);
const text = (it: Json | undefined): string => (typeof it === 'string' ? it : '');

/** Texts as arguments of a list in Helm's language. */
export const quoted = (names: readonly string[]): string => names.map((it) => `"${it}"`).join(' ');

/** The service of a name; undefined for anything else that runs. */
export const serviceOf = (name: string): ServiceName | undefined => serviceNames.find((it) => it === name);
const ofService = (name: string, key: string): string => `(index $.Values.services "${name}").${key}`;

/** Secrets by process, whose names are values. */
const secretName = (name: string): string => value(`index $.Values.secrets "${name}" | quote`);

const named = (reference: Json | undefined, name: (old: string) => string): JsonObject => ({
  ...object(reference),
  name: name(text(object(reference).name)),
});

/** The name of a ConfigMap without the hash of kustomize. */
export const unhashed = (name: string): string => name.replace(/-[a-z0-9]{10}$/, '');

/** References to ConfigMaps without the hash of kustomize, references to Secrets by the chart's values. */
const referencesIn = (it: Json): Json => {
  if (Array.isArray(it)) return it.map(referencesIn);
  if (!isObject(it)) return it;
  return Object.fromEntries(
    Object.entries(it).map(([key, found]) => {
      if (['configMapRef', 'configMapKeyRef', 'configMap'].includes(key))
        return [key, named(found, unhashed)];
      if (['secretRef', 'secretKeyRef'].includes(key)) return [key, named(found, secretName)];
      if (key === 'secret') {
        const secret = object(found);
        return [key, { ...secret, secretName: secretName(text(secret.secretName)) }];
      }
      return [key, referencesIn(found)];
    }),
  );
};

/** @param of what has its heap and its memory, which must fit */
const nodeOptions = (name: string, of: string): string =>
  value(`include "stanza.nodeOptions" (dict "root" $ "name" "${name}" "of" ${of})`);

const variable = (name: string, natsUrl: string, it: JsonObject): JsonObject => {
  if (it.name === 'NODE_OPTIONS' && serviceOf(name))
    return { ...it, value: nodeOptions(name, `(index $.Values.services "${name}")`) };
  return it.name === 'NATS_URL' ? { ...it, value: natsUrl } : it;
};

/** The small form has memory of its own, under the name of the gateway. */
const smallVariable = (it: JsonObject): JsonObject =>
  it.name === 'NODE_OPTIONS' ? { ...it, value: nodeOptions('smallPod', '$.Values.smallPod') } : it;

const operatorNats = value(
  `$.Values.nats.url | replace "://" "://$(STANZA_NATS_USER):$(STANZA_NATS_PASSWORD)@" | quote`,
);

const resourcesOf = (name: string, small: boolean): string | undefined => {
  if (small && name === 'gateway') return yamlOf('$.Values.smallPod.resources');
  if (serviceOf(name)) return yamlOf(ofService(name, 'resources'));
  return name === 'nats' ? undefined : yamlOf(`$.Values.${name}.resources`);
};

/** What asks Postgres or NATS, which may certify themselves by an authority of their own. */
const needsCertificates = (name: string): boolean => name !== 'nats';

/** The variables of a container that has no others. */
const given: JsonObject = {
  [lines('{{- with $.Values.env }}\n<spaces>env: {{- toYaml . | nindent <indent> }}\n{{- end }}')]: null,
};

const containerOf = (name: string, small: boolean, it: JsonObject): JsonObject => {
  const isNats = name === 'nats';
  const { ports, resources: own, ...rest } = it;
  const env = list(it.env).map((found) =>
    small && name === 'gateway' ? smallVariable(found) : variable(name, operatorNats, found),
  );
  const further = isNats ? [] : [included(`"${serviceOf(name) ? 'stanza.serviceEnv' : 'stanza.env'}" $`)];
  const variables = isNats ? {} : given;
  const resources = resourcesOf(name, small) ?? own;
  return {
    ...rest,
    image: value(isNats ? '$.Values.nats.image | quote' : 'include "stanza.image" $ | quote'),
    ...(isNats ? {} : { imagePullPolicy: value('$.Values.image.pullPolicy') }),
    ...(env.length > 0 ? { env: [...env, ...further] } : variables),
    ...(ports ? { ports } : {}),
    ...(resources ? { resources } : {}),
    ...(needsCertificates(name) ? included('"stanza.certificateMounts" $') : {}),
  };
};

/** What rolls the pods when it changes: settings of the chart, and Secrets that the cluster has at the upgrade. */
const checksums = (name: string, small: boolean): JsonObject => {
  const names = small && name === 'gateway' ? serviceNames : [name];
  return included(`"stanza.podAnnotations" (dict "root" $ "names" (list ${quoted(names)}))`);
};

const podOf = (name: string, small: boolean, template: JsonObject): JsonObject => {
  const metadata = object(template.metadata);
  const spec = object(template.spec);
  return {
    metadata: { ...metadata, annotations: checksums(name, small) },
    spec: {
      ...included('"stanza.pod" $'),
      ...spec,
      containers: list(spec.containers).map((it) => containerOf(name, small, it)),
      ...(needsCertificates(name) ? included('"stanza.certificates" $') : {}),
    },
  };
};

const workload = (name: string, small: boolean, spec: JsonObject): JsonObject => {
  const { replicas, ...rest } = spec;
  const counted: JsonObject =
    small || !serviceOf(name)
      ? replicas === undefined
        ? {}
        : { replicas }
      : when('not $.Values.autoscaling.enabled', { replicas: value(ofService(name, 'replicas')) });
  return { ...counted, ...rest, template: podOf(name, small, object(spec.template)) };
};

const natsTopology = (spec: JsonObject): JsonObject => {
  const template = object(spec.template);
  const pod = object(template.spec);
  if (pod.topologySpreadConstraints === undefined) return spec;
  const spread = list(pod.topologySpreadConstraints).map((it) => ({
    ...it,
    whenUnsatisfiable: value('$.Values.nats.zones'),
  }));
  return { ...spec, template: { ...template, spec: { ...pod, topologySpreadConstraints: spread } } };
};

const scaled = (name: string, kind: string, spec: JsonObject): JsonObject => {
  const min = value(ofService(name, 'autoscaling.min'));
  const max = value(`include "stanza.most" (dict "root" $ "name" "${name}")`);
  const cpu = ofService(name, 'autoscaling.cpu');
  if (kind === 'HorizontalPodAutoscaler') {
    const target = { type: 'Utilization', averageUtilization: value(cpu) };
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    return { ...spec, minReplicas: min, maxReplicas: max, metrics };
  }
  const triggers = list(spec.triggers).map((it): JsonObject => {
    if (it.type === 'cpu') return { ...it, metadata: { value: value(`${cpu} | quote`) } };
    const metadata = object(it.metadata);
    const namespace = `namespace="${value('$.Release.Namespace')}"`;
    const query = String(metadata.query).replace(/namespace="[^"]*"/, namespace);
    const serverAddress = value('$.Values.keda.prometheus | quote');
    return { ...it, metadata: { ...metadata, serverAddress, query } };
  });
  return { ...spec, minReplicaCount: min, maxReplicaCount: max, triggers };
};

const namespaces: Record<string, string> = {
  'ingress-nginx': value('$.Values.network.ingressNamespace | quote'),
  monitoring: value('$.Values.network.monitoringNamespace | quote'),
};

/** Namespaces of neighbours are values. */
const neighbours = (it: Json): Json => {
  if (Array.isArray(it)) return it.map(neighbours);
  if (!isObject(it)) return it;
  const label = 'kubernetes.io/metadata.name';
  return Object.fromEntries(
    Object.entries(it).map(([key, found]) => [
      key,
      key === label ? (namespaces[text(found)] ?? found) : neighbours(found),
    ]),
  );
};

const policy = (name: string, spec: JsonObject): JsonObject => {
  const known = object(neighbours(spec));
  if (name === 'to-postgres')
    return { ...known, egress: yamlOf('(include "stanza.toPostgres" $ | fromYamlArray)') };
  if (name === 'to-nats') return { ...known, egress: yamlOf('(include "stanza.toNats" $ | fromYamlArray)') };
  if (name === 'to-collector') return { ...known, egress: yamlOf('$.Values.network.collector') };
  return known;
};

const ingress: JsonObject = {
  [lines('{{- with $.Values.ingress.className }}\n<spaces>ingressClassName: {{ . | quote }}\n{{- end }}')]:
    null,
  [lines(
    '{{- with $.Values.ingress.tls }}\n<spaces>tls: {{- toYaml . | nindent <indent + 2> }}\n{{- end }}',
  )]: null,
  rules: [
    {
      host: value(
        'required "ingress.host: the name under which clients reach Stanza" $.Values.ingress.host | quote',
      ),
      http: {
        paths: [
          {
            path: '/',
            pathType: 'Prefix',
            backend: { service: { name: 'gateway', port: { name: 'http' } } },
          },
        ],
      },
    },
  ],
};

const specOf = (kind: string, name: string, small: boolean, spec: JsonObject): JsonObject => {
  if (kind === 'Ingress') return ingress;
  if (kind === 'NetworkPolicy') return policy(name, spec);
  if (['HorizontalPodAutoscaler', 'ScaledObject'].includes(kind)) return scaled(name, kind, spec);
  if (kind === 'PrometheusRule')
    return { [lines('{{- $.Files.Get "files/rules.yaml" | nindent <indent> }}')]: null };
  if (!['Deployment', 'StatefulSet', 'Job'].includes(kind)) return spec;
  return workload(name, small, name === 'nats' ? natsTopology(spec) : spec);
};

const fileLines = (key: string, file: string): JsonObject => ({
  [lines(`<spaces>${key}: |\n{{ $.Files.Get "files/${file}" | indent <indent + 2> }}`)]: null,
});

const dataOf = (name: string, small: boolean): JsonObject =>
  name === 'nats'
    ? {
        ...fileLines('nats.conf', small ? 'nats-one.conf' : 'nats-three.conf'),
        ...fileLines('users.conf', 'users.conf'),
      }
    : included(`"stanza.settings" (list $ "${name}")`);

const annotationsOf = (kind: string, found: Json | undefined): JsonObject => {
  if (kind === 'Ingress') return { annotations: yamlOf('$.Values.ingress.annotations') };
  return found === undefined ? {} : { annotations: found };
};

/** Values that are the name of a service itself come from a variable: its template serves the others, too. */
const ofAnyName = (name: string, it: Json): Json => {
  if (it === name) return value('$name');
  if (Array.isArray(it)) return it.map((found) => ofAnyName(name, found));
  if (!isObject(it)) return it;
  return Object.fromEntries(Object.entries(it).map(([key, found]) => [key, ofAnyName(name, found)]));
};

/** One resource of an overlay as a template of the chart. */
export const templateOf = (resource: JsonObject, small: boolean): string => {
  const { kind, name: hashed } = manifestOf(resource);
  const name = kind === 'ConfigMap' ? unhashed(hashed) : hashed;
  const { apiVersion, metadata, spec, data, ...rest } = resource;
  const { annotations } = object(metadata);
  const extra = ['ServiceMonitor', 'PrometheusRule'].includes(kind)
    ? {
        [lines('{{- with $.Values.monitoring.labels }}\n{{- toYaml . | nindent <indent> }}\n{{- end }}')]:
          null,
      }
    : {};
  const template: JsonObject = {
    apiVersion: apiVersion ?? null,
    kind,
    metadata: {
      // A Job cannot be changed, so each revision has its own.
      name: kind === 'Job' ? value(`printf "${name}-%d" $.Release.Revision`) : name,
      labels: {
        ...included('"stanza.labels" $'),
        ...extra,
        ...object(object(metadata).labels),
      },
      ...annotationsOf(kind, annotations),
    },
    ...rest,
    ...(data === undefined ? {} : { data: dataOf(name, small) }),
    ...(spec === undefined ? {} : { spec: specOf(kind, name, small, object(referencesIn(spec))) }),
  };
  if (!serviceOf(name)) return templateText(template);
  return templateText(object(ofAnyName(name, template))).replaceAll(/\{\{.*?\}\}/g, (expression) =>
    expression.replaceAll(`"${name}"`, '$name'),
  );
};
