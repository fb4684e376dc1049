import { get } from 'node:http';
import { expect, it } from '@jest/globals';
import { receiveInteraction } from '@stanza/contracts';
import { startSandbox } from '@stanza/sandbox';
import { z } from 'zod';
import { type Container, readCluster } from '../kubernetes/cluster.ts';
import { at, type Json } from '../kubernetes/manifest.ts';
import { named, rendered, whenThere } from './rendered.ts';

const probeSchema = z.looseObject({
  path: z.string(),
  httpHeaders: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});

const sandboxOf = (small: boolean): Container => {
  const { workloads } = readCluster(rendered({ small, sandbox: { enabled: true } }));
  const container = workloads.find(({ name }) => name === 'sandbox')?.pod.containers[0];
  if (container === undefined) throw new Error('there is no sandbox');
  return container;
};

const variable = (container: Container, name: string) => container.env.find((it) => it.name === name);

/** The status that a sandbox with these host names gives the kubelet, which asks at the address of the pod. */
const statusForKubelet = async (container: Container): Promise<number | undefined> => {
  const { path, httpHeaders } = probeSchema.parse(container.readinessProbe?.httpGet);
  const headers = {
    host: '10.244.1.7:8788',
    ...Object.fromEntries(httpHeaders.map(({ name, value }) => [name.toLowerCase(), value])),
  };
  const hosts = variable(container, 'STANZA_SANDBOX_HOSTS')?.value?.split(',') ?? [];
  const sandbox = await startSandbox({ hosts });
  try {
    return await new Promise((resolve, reject) => {
      get(`${sandbox.url}${path}`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', reject);
    });
  } finally {
    await sandbox.close();
  }
};

const gateway: Json = [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } } }];
const sandbox: Json = [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'sandbox' } } }];
const ports: Json = [{ port: 8787, protocol: 'TCP' }];

whenThere('the sandbox of the chart', () => {
  it('is ready for a kubelet that asks at the address of its pod', async () => {
    expect(await statusForKubelet(sandboxOf(true))).toBe(200);
  });

  it.each([true, false])(
    'hands clicks to the gateway, signed as delivery expects it (small: %s)',
    (small) => {
      const container = sandboxOf(small);
      expect(variable(container, 'STANZA_SANDBOX_INTERACTIONS_URL')?.value).toBe(
        `http://gateway/v1${receiveInteraction.path}`,
      );
      expect(variable(container, 'STANZA_CHAT_SIGNING_SECRET')?.valueFrom?.secretKeyRef).toMatchObject({
        name: 'delivery',
        key: 'STANZA_CHAT_SIGNING_SECRET',
      });
      const made = rendered({ small, sandbox: { enabled: true } });
      expect(at(named(made, 'NetworkPolicy/sandbox'), 'spec', 'egress')).toEqual([{ to: gateway, ports }]);
      expect(at(named(made, 'NetworkPolicy/sandbox-asks-gateway'), 'spec')).toMatchObject({
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } },
        ingress: [{ from: sandbox, ports }],
      });
    },
  );
});
