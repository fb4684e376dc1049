import { type Cluster, containersOf, type Workload } from './cluster.ts';
import { scalings } from './rules/scaling.ts';
import { environmentsIn } from './rules/settings.ts';

/** What a cluster is asked for. */
interface Size {
  pods: number;
  /** Thousandths of a processor. */
  cpu: number;
  mebibytes: number;
  connections: number;
}

const cpuOf = (text = '0'): number => (text.endsWith('m') ? Number.parseInt(text, 10) : Number(text) * 1_000);

const mebibytesOf = (text = '0'): number => Number.parseInt(text, 10) * (text.endsWith('Gi') ? 1_024 : 1);

const sizeOf = (cluster: Cluster, workload: Workload, pods: number): Size => {
  const containers = containersOf(workload);
  const sum = (count: (container: (typeof containers)[number]) => number): number =>
    pods * containers.reduce((total, it) => total + count(it), 0);
  return {
    pods,
    cpu: sum((it) => cpuOf(it.resources.requests.cpu)),
    mebibytes: sum((it) => mebibytesOf(it.resources.requests.memory)),
    connections: sum((it) =>
      environmentsIn(cluster, it).reduce((all, own) => all + Number(own.STANZA_DATABASE_POOL ?? 0), 0),
    ),
  };
};

/** What the services and NATS ask for, with as few and with as many pods as there may be. */
const total = (cluster: Cluster, pick: 'least' | 'most'): Size => {
  const all = scalings(cluster);
  return cluster.workloads
    .filter((it) => cluster.services.includes(it) || it.name === 'nats')
    .map((it) => {
      const scaling = all.find(({ target }) => target.name === it.name);
      return sizeOf(cluster, it, scaling?.[pick] ?? it.replicas ?? 1);
    })
    .reduce((sum, it) => ({
      pods: sum.pods + it.pods,
      cpu: sum.cpu + it.cpu,
      mebibytes: sum.mebibytes + it.mebibytes,
      connections: sum.connections + it.connections,
    }));
};

const row = (name: string, { pods, cpu, mebibytes, connections }: Size): string =>
  `| ${name} | ${pods} | ${(cpu / 1_000).toFixed(1)} | ${(mebibytes / 1_024).toFixed(1)} GiB | ${connections} |`;

/** The rows of the table of sizes in docs/kubernetes.md. */
export const sizeRows = (small: Cluster, production: Cluster): string[] => [
  row('small', total(small, 'least')),
  row('production, at least', total(production, 'least')),
  row('production, at most', total(production, 'most')),
];
