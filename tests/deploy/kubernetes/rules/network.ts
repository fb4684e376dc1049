import { BlockList } from 'node:net';
import { z } from 'zod';
import { type Cluster, called, selects, type Workload } from '../cluster.ts';
import { environmentsIn, servicesOf } from './settings.ts';

const peerSchema = z.strictObject({
  podSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }).optional(),
  namespaceSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }).optional(),
  ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
});

const portSchema = z.strictObject({ port: z.number(), protocol: z.enum(['TCP', 'UDP']) });

const policySchema = z.looseObject({
  spec: z.strictObject({
    podSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()).default({}) }),
    policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
    ingress: z
      .array(z.strictObject({ from: z.array(peerSchema).optional(), ports: z.array(portSchema) }))
      .default([]),
    egress: z
      .array(z.strictObject({ to: z.array(peerSchema).optional(), ports: z.array(portSchema) }))
      .default([]),
  }),
});

type Policy = z.output<typeof policySchema>['spec'];

const policiesFor = (cluster: Cluster, { podLabels }: Workload): Policy[] =>
  cluster
    .of('NetworkPolicy')
    .map((it) => policySchema.parse(it.body).spec)
    .filter((it) => selects(it.podSelector.matchLabels, podLabels));

/** Addresses that a service of ours must not be led to. */
const inner = [
  ...['10.1.2.3', '172.20.0.1', '192.168.1.1', '169.254.169.254', '127.0.0.1', '100.64.0.1'],
  ...['::1', 'fd00::1', 'fe80::1', '2002:a00:1::1'],
];

const contains = (cidr: string, address: string): boolean => {
  const [network = '', bits] = cidr.split('/');
  const family = network.includes(':') ? 'ipv6' : 'ipv4';
  if (family !== (address.includes(':') ? 'ipv6' : 'ipv4')) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
};

const allows = (policies: readonly Policy[], port: number, address: string): boolean =>
  policies
    .flatMap((it) => it.egress)
    .filter((rule) => rule.ports.some((it) => it.port === port))
    .some(
      ({ to }) =>
        to === undefined ||
        to.some(
          ({ ipBlock }) =>
            ipBlock && contains(ipBlock.cidr, address) && !ipBlock.except.some((it) => contains(it, address)),
        ),
    );

const reaches = (policies: readonly Policy[], port: number, labels: Record<string, string>): boolean =>
  policies
    .flatMap((it) => it.egress)
    .filter((rule) => rule.ports.some((it) => it.port === port))
    .some(({ to }) => to?.some(({ podSelector }) => podSelector && selects(podSelector.matchLabels, labels)));

const admits = (policies: readonly Policy[], port: number): boolean =>
  policies.flatMap((it) => it.ingress).some((rule) => rule.ports.some((it) => it.port === port));

const everyone = ({ ingress }: Policy): boolean => ingress.some(({ from }) => from === undefined);

/** An address of each version on the outside, and one at which a database is. */
const outside = '93.184.215.14';
const outsideOfVersion6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
const database = '10.1.2.3';

const workloadRules = (cluster: Cluster, workload: Workload): string[] => {
  const policies = policiesFor(cluster, workload);
  const environments = workload.pod.containers.flatMap((it) => environmentsIn(cluster, it));
  const uses = (...names: string[]) =>
    environments.some((it) => names.some((name) => it[name] !== undefined));
  const usesDatabase = uses('STANZA_DATABASE_URL', 'STANZA_MIGRATION_URL');
  const usesBroker = uses('STANZA_NATS_URL', 'NATS_URL');
  const nats = { 'app.kubernetes.io/name': 'nats' };
  const isScraped = cluster.services.includes(workload);
  const isOutward = workload.name === 'delivery' || workload.name === 'gateway';
  const expected: [string, boolean, boolean][] = [
    ['the database', usesDatabase, allows(policies, 5432, database)],
    ['the broker', usesBroker, reaches(policies, 4222, nats)],
    ['the outside', isOutward, allows(policies, 443, outside)],
    ['the outside by version 6', isOutward, allows(policies, 443, outsideOfVersion6)],
    ['Prometheus', isScraped, admits(policies, 9464)],
    ['an exporter of NATS', workload.name === 'nats', admits(policies, 8222)],
    ['requests', workload.name === 'gateway', admits(policies, 8787)],
  ];
  return [
    ...expected
      .filter(([, wanted, found]) => wanted !== found)
      .map(([what, wanted]) => `the network ${wanted ? 'keeps it from' : 'lets it to'} ${what}`),
    ...inner
      .filter((it) => allows(policies, 443, it))
      .map((it) => `the network lets it to ${it}, an address that is not public`),
    ...(policies.some(everyone) ? ['the network lets everyone in'] : []),
  ].map((problem) => `${called(workload)}: ${problem}`);
};

/** The destinations' ports are those that the network lets pass. */
const destinationRules = (cluster: Cluster): string[] =>
  cluster.services
    .filter(({ pod }) => pod.containers.some((it) => servicesOf(it).includes('delivery')))
    .flatMap((workload) => {
      const policies = policiesFor(cluster, workload);
      return workload.pod.containers
        .flatMap((it) => environmentsIn(cluster, it).flatMap((own) => own.STANZA_DESTINATION_PORTS ?? []))
        .flatMap((ports) => ports.split(','))
        .filter((port) => !allows(policies, Number(port), outside))
        .map((port) => `${called(workload)}: destinations may use port ${port}, and the network stops it`);
    });

/** Nothing is let through but what each process needs. */
export const networkRules = (cluster: Cluster): string[] => {
  const isDenied = cluster
    .of('NetworkPolicy')
    .map((it) => policySchema.parse(it.body).spec)
    .some(
      (it) =>
        Object.keys(it.podSelector.matchLabels).length === 0 &&
        it.policyTypes.length === 2 &&
        it.ingress.length + it.egress.length === 0,
    );
  return [
    ...(isDenied ? [] : ['nothing is forbidden from the start']),
    ...cluster.workloads.flatMap((it) => workloadRules(cluster, it)),
    ...destinationRules(cluster),
  ];
};
