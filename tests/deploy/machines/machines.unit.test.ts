import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { clusterSecrets } from '@stanza/local';
import { machineFiles } from '@stanza/local/machines/machine-files';
import { loadSettings, shutdownLimitMs } from '@stanza/runtime';
import { settingsOf } from '../kubernetes/rules/settings.ts';

const root = join(import.meta.dirname, '../../..');
const machines = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
const primary = 'postgres://10.0.0.1:5433/stanza';
const secrets = await clusterSecrets('postgres://127.0.0.1:6432/stanza', 'stanza', primary);
const files = machineFiles('10.0.0.2', machines, secrets);
const fileOf = (path: string): string => files[path] ?? '';

const envOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    [...fileOf(`stanza/${name}.env`).matchAll(/^(\w+)="(.*)"$/gm)].map(([, key = '', value = '']) => [
      key,
      value,
    ]),
  );

describe('the files of a machine', () => {
  it.each(serviceNames)('give %s the settings that it takes, and a port of its own', (name) => {
    const { NODE_OPTIONS, ...env } = envOf(name);
    const settings = loadSettings(settingsOf[name], env);
    expect(NODE_OPTIONS).toMatch(/max-old-space-size/);
    expect(settings).toMatchObject({ STANZA_NATS_USER: name, STANZA_METRICS_HOST: '10.0.0.2' });
    const others = serviceNames.filter((it) => it !== name).map((it) => envOf(it).STANZA_METRICS_PORT);
    expect(others).not.toContain(env.STANZA_METRICS_PORT);
  });

  it('configure NATS as the cluster does', () => {
    const overlay = readFileSync(join(root, 'deploy/kubernetes/overlays/production/nats.conf'), 'utf8');
    const settingsIn = (text: string) =>
      [...text.matchAll(/^ *(max_payload|ping_\w+|lame_duck_\w+): (.*)$/gm)].map(([line]) => line.trim());
    expect(settingsIn(fileOf('stanza/nats/nats.conf'))).toEqual(settingsIn(overlay));
    const { ROUTE_PASSWORD = '' } = secrets.items.find((it) => it.metadata.name === 'nats')?.stringData ?? {};
    for (const it of machines)
      expect(fileOf('stanza/nats/nats.conf')).toContain(`nats://route:${ROUTE_PASSWORD}@${it}:6222`);
  });

  it('let the proxy ask every gateway where it says whether it is ready', () => {
    const servers = [
      ...fileOf('haproxy/haproxy.cfg').matchAll(/^ {2}server (\S+) (\S+) check port (\d+)$/gm),
    ];
    const port = envOf('gateway').STANZA_METRICS_PORT;
    expect(servers.map(([, , address, check]) => [address, check])).toEqual(
      machines.map((it) => [`${it}:8787`, port]),
    );
    expect(envOf('gateway').STANZA_TRUSTED_PROXIES).toBe(machines.join());
  });

  it('run nothing as root that clients reach', () => {
    expect(fileOf('haproxy/haproxy.cfg')).toMatch(/^ {2}user haproxy\n {2}group haproxy\n/m);
    for (const unit of ['stanza@', 'stanza-nats', 'stanza-migrate'])
      expect(fileOf(`systemd/system/${unit}.service`)).toContain('\nUser=stanza\n');
  });

  it('wait for the drain before they kill, and start what the target names', () => {
    const seconds = Number(/TimeoutStopSec=(\d+)/.exec(fileOf('systemd/system/stanza@.service'))?.[1]);
    expect(seconds * 1_000).toBeGreaterThan(shutdownLimitMs + 5_000);
    const wanted = [...fileOf('systemd/system/stanza.target').matchAll(/stanza@([\w-]+)\.service/g)];
    expect(wanted.map((it) => it[1]).sort()).toEqual([...serviceNames].sort());
  });

  it('lead each service through the pooler of its machine to the primary, as the role that it is', () => {
    expect(fileOf('pgbouncer/pgbouncer.ini')).toMatch(
      /^\[databases\]\nstanza = host=10\.0\.0\.1 port=5433\n/,
    );
    expect(fileOf('pgbouncer/pgbouncer.ini')).toContain('\nlisten_addr = 127.0.0.1\nlisten_port = 6432\n');
    // Runbooks ask the pooler itself; no role of a service may.
    expect(fileOf('pgbouncer/pgbouncer.ini')).toContain('\nunix_socket_dir = /var/run/postgresql\n');
    const urls = serviceNames
      .flatMap((name) => envOf(name).STANZA_DATABASE_URL ?? [])
      .map((it) => new URL(it));
    const lines = urls.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`);
    expect(lines.length).toBe(5);
    expect(fileOf('pgbouncer/userlist.txt')).toBe(lines.join(''));
  });

  it.each([
    ['services reach Postgres elsewhere', 'postgres://10.0.0.9/stanza', primary],
    ['Postgres itself is there', 'postgres://127.0.0.1/stanza', undefined],
  ])('have no pooler where %s', async (_, database, migrations) => {
    const elsewhere = await clusterSecrets(database, 'stanza', migrations);
    expect(
      Object.keys(machineFiles('10.0.0.2', machines, elsewhere)).filter((it) => /bouncer/.test(it)),
    ).toEqual([]);
  });

  it('are those of a machine that is named', () => {
    expect(() => machineFiles('10.0.0.9', machines, secrets)).toThrow('10.0.0.9 is not one of the machines');
  });

  it.each([['10.0.0.1'], [''], ['fd00::1'], ['10.0.0.1 10.0.0.4']])(
    'refuse %j as a further machine',
    (odd) => {
      expect(() => machineFiles('10.0.0.1', ['10.0.0.1', odd], secrets)).toThrow(
        'is no address of one more machine',
      );
    },
  );
});
