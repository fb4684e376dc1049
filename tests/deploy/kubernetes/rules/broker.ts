import { loginsOf, maxPayload, natsUsers, passwordIn, passwordVariable } from '@stanza/local';
import { type Cluster, called, type Workload } from '../cluster.ts';
import { environmentOf } from '../environment.ts';

/** The files of a pod's configuration. */
const filesOf = (cluster: Cluster, { pod }: Workload): Readonly<Record<string, string>> =>
  Object.assign({}, ...pod.volumes.map((it) => it.configMap && cluster.data('ConfigMap', it.configMap.name)));

const variables = (text: string): string[] =>
  [...text.matchAll(/(?<!["\w.>])\$([A-Z][A-Z0-9_]*)/g)].map((it) => it[1] ?? '');

const nodeRules = (cluster: Cluster, workload: Workload): string[] => {
  const files = filesOf(cluster, workload);
  const config = files['nats.conf'] ?? '';
  const values = Object.assign({}, ...workload.pod.containers.map((it) => environmentOf(cluster, it).values));
  const text = config.replaceAll(/^\s*#.*$/gm, '') + (files['users.conf'] ?? '');
  const passwords = cluster.data('Secret', 'nats')?.['passwords.conf'] ?? '';
  const users = natsUsers.flatMap(loginsOf);
  const known = [
    ...Object.keys(values),
    ...users.filter((it) => passwordIn(passwords, it)).map(passwordVariable),
    ...[...text.matchAll(/^(\w+): \{/gm)].map((it) => it[1] ?? ''),
  ];
  const nodes = workload.replicas ?? 1;
  return [
    ...[...variables(text)].filter((it) => !known.includes(it)).map((it) => `nothing says what ${it} is`),
    ...(config.includes(`max_payload: ${maxPayload}`) ? [] : ['its max_payload is not that of the gateway']),
    ...(/^cluster \{/m.test(config) === nodes > 1 ? [] : [`its configuration is not one of ${nodes} nodes`]),
    ...Array.from({ length: nodes > 1 ? nodes : 0 }, (_, index) => `ROUTE_${index}`)
      .filter((it) => !variables(text).includes(it))
      .map((it) => `its nodes do not know ${it}`),
  ].map((problem) => `${called(workload)}: ${problem}`);
};

/** The broker knows every user and its password, and its configuration is for as many nodes as there are. */
export const brokerRules = (cluster: Cluster): string[] =>
  cluster.workloads.filter((it) => it.name === 'nats').flatMap((it) => nodeRules(cluster, it));
