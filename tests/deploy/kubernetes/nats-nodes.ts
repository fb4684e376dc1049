import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNats, freePorts, SupervisedProcess } from '@stanza/test-kit/database';
import { type Cluster, containersOf } from './cluster.ts';
import { environmentOf } from './environment.ts';

/** A node of the broker as the manifests describe it, on this machine. */
export interface NatsNode {
  name: string;
  url: string;
  /** Where it tells about itself. */
  monitor: string;
  pidFile: string;
  /** The file of its passwords, as the Secret brings it. */
  passwordFile: string;
  process: SupervisedProcess;
}

/** The pod of the broker: its files, and its environment. */
const podOf = (cluster: Cluster) => {
  const workload = cluster.workloads.find((it) => it.name === 'nats');
  const [container] = workload ? containersOf(workload) : [];
  const files = workload?.pod.volumes.flatMap((it) => it.configMap?.name ?? [])[0];
  if (!workload || !container || files === undefined) throw new Error('there is no broker');
  const { 'passwords.conf': passwords = '' } = cluster.data('Secret', 'nats') ?? {};
  return {
    nodes: workload.replicas ?? 1,
    files: { ...cluster.data('ConfigMap', files), 'passwords.conf': passwords },
    env: environmentOf(cluster, container).values,
  };
};

const ready = async (monitor: string): Promise<boolean> => {
  try {
    return (await fetch(`${monitor}/healthz`)).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
};

/**
 * Prepares every node with the configuration and the environment that its pod gets; only addresses and folders are
 * those of this machine. `changed` replaces variables of one node's environment.
 */
export const natsNodes = async (
  cluster: Cluster,
  folder: string,
  changed: Record<string, Record<string, string>> = {},
): Promise<NatsNode[]> => {
  const { path } = await findNats();
  const { nodes, files, env } = podOf(cluster);
  const ports = await freePorts(nodes * 3);
  const prepare = async (index: number): Promise<NatsNode> => {
    const name = `nats-${index}`;
    const own = join(folder, name);
    await mkdir(own, { recursive: true });
    const [client, peers, monitor] = ports.slice(index * 3);
    for (const [file, text] of Object.entries(files)) {
      const local = text
        .replace('0.0.0.0:4222', `127.0.0.1:${client}`)
        .replace('0.0.0.0:6222', `127.0.0.1:${peers}`)
        .replace('0.0.0.0:8222', `127.0.0.1:${monitor}`)
        // A test does not wait for calls of many seconds.
        .replace(/lame_duck_grace_period: "\d+s"/, 'lame_duck_grace_period: "3s"')
        .replace('/run/nats', own)
        .replace('../nats-passwords/', '');
      await writeFile(join(own, file), local);
    }
    const routes = Object.entries(env).map(([key, value]) => [
      key,
      value.replace(
        /nats-(\d)\.nats-peers:6222/,
        (_, peer: string) => `127.0.0.1:${ports[Number(peer) * 3 + 1]}`,
      ),
    ]);
    const address = `http://127.0.0.1:${monitor}`;
    const process = new SupervisedProcess({
      name,
      command: path,
      args: ['--config', join(own, 'nats.conf')],
      env: { ...Object.fromEntries(routes), POD_NAME: name, ...changed[name] },
      cwd: own,
      logFile: join(own, 'nats.log'),
      isReady: () => ready(address),
      stopSignal: 'SIGKILL',
      orphanSignal: 'SIGKILL',
      stopTimeoutMs: 5_000,
      readyTimeoutMs: 30_000,
    });
    return {
      name,
      url: `nats://127.0.0.1:${client}`,
      monitor: address,
      pidFile: join(own, 'nats.pid'),
      passwordFile: join(own, 'passwords.conf'),
      process,
    };
  };
  return Promise.all(Array.from({ length: nodes }, (_, index) => prepare(index)));
};
