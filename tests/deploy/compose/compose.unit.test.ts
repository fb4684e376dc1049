import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { settings as frontSettings } from '@stanza/image/front/settings';
import { givenSecrets } from '@stanza/image/make-secrets';
import { secretFiles } from '@stanza/image/secret-files';
import { natsUsers } from '@stanza/local/nats/config';
import { databaseRoles } from '@stanza/local/provision';
import { newSecrets, passwordsFor } from '@stanza/local/secrets';
import { serviceModules, settingsModules } from '@stanza/local/service-modules';
import { environmentsOf, loadSettings } from '@stanza/runtime';
import type { z } from 'zod';
import { testImages } from '../../runner/containers.ts';
import { type ComposeService, checkout, composeFile, composeFileName } from './compose-file.ts';

const { services, volumes } = composeFile();

const secrets = {
  ...newSecrets(),
  roles: passwordsFor(databaseRoles, {}),
  nats: passwordsFor(natsUsers, {}),
};
const files = new Map(
  secretFiles(secrets, {
    databaseUrl: 'postgres://stanza@postgres:5432/stanza',
    natsUrl: 'nats://nats:4222',
  }).map((it) => [it.path, it.content]),
);

const serviceOf = (name: string): ComposeService => {
  const service = services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no ${name}`);
  return service;
};

/** What a file in a container holds: the volume that is mounted at its folder is one of those that `keys` fills. */
const contentOf = (service: ComposeService, path: string): string => {
  const mounts = service.volumes.map((it) => it.split(':'));
  const [volume = '', folder = ''] = mounts.find(([, at = ' ']) => path.startsWith(`${at}/`)) ?? [];
  const content = files.get(path.replace(folder, volume.replace('keys-', '')));
  if (content === undefined) throw new Error(`no process makes ${path}`);
  return content;
};

/** The environment of a process once the settings that are in files have been read. */
const environmentOf = (service: ComposeService): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service.environment).map(([name, value]) =>
      name.endsWith('_FILE') ? [name.replace(/_FILE$/, ''), contentOf(service, value)] : [name, value],
    ),
  );

const settingsOf = async (name: string): Promise<z.ZodObject> => {
  if (name === 'front') return frontSettings;
  const known = serviceNames.find((it) => it === name);
  if (known === undefined) throw new Error(`${name} is no service`);
  return (await settingsModules[known]()).settings;
};

const ours = Object.keys(services).filter((name) => serviceOf(name).image === 'stanza:local');
const lasting = ours.filter((name) => serviceOf(name).restart === 'unless-stopped');

describe('docker-compose.yml', () => {
  it.each([...serviceNames, 'front'])(
    'starts %s with settings that it knows, and all that it needs',
    async (name) => {
      const read = loadSettings(await settingsOf(name), environmentOf(serviceOf(name)));
      expect(Object.keys(read).length).toBeGreaterThan(0);
    },
  );

  it('starts small with the settings of every service, and the credentials of each for it alone', async () => {
    const services = await Promise.all(serviceNames.map((name) => serviceModules[name]()));
    const { STANZA_SERVICES, ...environment } = environmentOf(serviceOf('small'));
    expect([serviceOf('small').command, STANZA_SERVICES]).toEqual(['services', 'all']);
    for (const { service, env } of environmentsOf(
      services.map((it) => it.service),
      environment,
    )) {
      expect(service.configure(env).runtime.STANZA_NATS_PASSWORD).toBe(secrets.nats[service.name]);
      // What it is given for a process of its own; that has no proxy in front of it here.
      const { STANZA_TRUSTED_PROXIES: _, ...alone } = environmentOf(serviceOf(service.name));
      expect(env).toEqual(alone);
    }
  });

  it('trusts no identity provider by default, and gives the sandbox a secret for its tokens', () => {
    const { gateway, sandbox } = {
      gateway: serviceOf('gateway'),
      sandbox: environmentOf(serviceOf('sandbox')),
    };
    const trusted = Object.entries(gateway.environment).filter(([name]) =>
      name.startsWith('STANZA_SESSION_'),
    );
    expect(trusted.map(([, value]) => value)).toEqual(['', '', '']);
    expect(sandbox).toMatchObject({
      STANZA_SANDBOX_IDENTITY_SECRET: secrets.identity_secret,
      STANZA_SANDBOX_HOSTS: 'sandbox',
    });
  });

  it('gives each process the name, the database role and the password of its own', () => {
    for (const name of serviceNames) {
      const environment = environmentOf(serviceOf(name));
      expect(serviceOf(name).command).toBe(name);
      expect(environment.STANZA_NATS_USER).toBe(name);
      expect(environment.STANZA_NATS_PASSWORD).toBe(secrets.nats[name]);
      expect(serviceOf(name).volumes).toEqual([`keys-${name}:/run/stanza:ro`]);
    }
  });

  it('has every process of ours read-only, without rights, bounded in memory, and given time to drain', () => {
    for (const name of ours) {
      expect(serviceOf(name)).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: { compile: '768m', small: '1g' }[name] ?? '512m',
      });
    }
    for (const name of [...serviceNames, 'front']) expect(serviceOf(name).stop_grace_period).toBe('35s');
    expect(serviceOf('small').stop_grace_period).toBe('65s');
  });

  it('lets every service be scaled: none has a name or a port of the host, but for what people look at', () => {
    const visible = ['front', 'small', 'sandbox', 'prometheus', 'grafana'];
    for (const [name, service] of Object.entries(services)) {
      expect(service.container_name).toBeUndefined();
      if (!visible.includes(name)) expect([name, service.ports]).toEqual([name, []]);
    }
  });

  it('opens nothing to other machines unless somebody says so', () => {
    for (const port of Object.values(services).flatMap((it) => it.ports)) {
      expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    }
  });

  it('starts no lasting process before the keys are made and the schemas are up to date', () => {
    for (const name of lasting.filter((it) => !['sandbox', 'front'].includes(it))) {
      expect(serviceOf(name).depends_on.setup?.condition).toBe('service_completed_successfully');
    }
    expect(serviceOf('setup').depends_on.postgres?.condition).toBe('service_healthy');
    expect(serviceOf('postgres').depends_on.keys?.condition).toBe('service_completed_successfully');
  });

  it('keeps what must not be lost in volumes with names', () => {
    expect(serviceOf('postgres').volumes).toContain('database:/var/lib/postgresql');
    expect(serviceOf('nats').volumes).toEqual(['keys-nats:/run/stanza:ro']);
    const mounted = Object.values(services).flatMap((it) => it.volumes.map((volume) => volume.split(':')[0]));
    const named = mounted.filter((it) => it !== undefined && !it.startsWith('.'));
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort());
  });

  it('has the Postgres and NATS that STANZA_TEST_CONTAINERS tests with', () => {
    for (const [name, image] of Object.entries(testImages)) expect(serviceOf(name).image).toBe(image);
  });

  it('hands on each secret that an operator brings, to the process that stores it', () => {
    const { environment } = serviceOf('keys');
    const given = Object.fromEntries(Object.keys(environment).map((name) => [name, `own ${name}`]));
    expect(Object.keys(givenSecrets(given)).sort()).toEqual([
      'chat_signing_secret',
      'console_keys',
      'encryption_keys',
      'key_hash_secrets',
    ]);
  });

  it('takes the variables of the page on installing, and no others', () => {
    const page = readFileSync(join(checkout, 'docs/install.md'), 'utf8');
    const [table = ''] = page.split('\n## Settings\n')[1]?.split('\nThe signing secret') ?? [];
    const cells = [...table.matchAll(/^\| (`.*?`) \|/gm)].map((it) => it[1] ?? '');
    const named = cells.flatMap((it) => [...it.matchAll(/`(\w+)`/g)].map((word) => word[1] ?? ''));
    const text = readFileSync(join(checkout, composeFileName), 'utf8');
    const taken = [...new Set([...text.matchAll(/\$\{(STANZA_\w+)/g)].map((it) => it[1] ?? ''))];
    expect(taken.filter((it) => !named.some((name) => it.endsWith(name)))).toEqual([
      // Below the table.
      'STANZA_EDGE_SUBNET',
      'STANZA_FRONT_TRUSTED_PROXIES',
    ]);
    expect(named.filter((name) => !taken.some((it) => it.endsWith(name)))).toEqual([]);
  });

  it('makes only keys that a process reads', () => {
    const read = new Set(
      Object.values(services).flatMap((service) =>
        service.volumes
          .filter((it) => it.endsWith(':/run/stanza:ro'))
          .map((it) => it.split(':')[0]?.replace('keys-', '')),
      ),
    );
    expect([...files.keys()].filter((path) => !read.has(path.split('/')[0]))).toEqual([]);
  });
});
