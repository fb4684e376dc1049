import { type ServiceName, serviceNames } from '@stanza/contracts';
import { StackFailure } from '../failure.ts';
import type { ClusterSecrets } from '../kubernetes/cluster-secrets.ts';
import { natsUsersFile } from '../nats/users-file.ts';
import { haproxyConfig } from './haproxy.ts';
import { natsNodeConfig } from './nats.ts';
import { poolerConfig, poolerUsers } from './pgbouncer.ts';
import { unitFiles } from './units.ts';

/** Where `/metrics`, `/livez` and `/readyz` of each service answer. */
const metricsPorts: Readonly<Record<ServiceName, number>> = {
  gateway: 9464,
  organization: 9465,
  template: 9466,
  compile: 9467,
  delivery: 9468,
  'queue-ingest': 9469,
};

const gatewayPort = 8787;
const postgresPort = 5432;
/** Half of what units may take. */
const nodeOptions = '--max-old-space-size=512';

/** As systemd reads it from an EnvironmentFile. */
const envFile = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"\n`)
    .join('');

const isHere = ({ hostname }: URL): boolean => ['127.0.0.1', 'localhost'].includes(hostname);

/** Of the services, where they reach the database at their own machine: through a pooler there. */
const poolerFiles = (secret: (name: string) => Readonly<Record<string, string>>): Record<string, string> => {
  const urls = serviceNames.flatMap((name) => {
    const { STANZA_DATABASE_URL: url } = secret(name);
    return url === undefined ? [] : [new URL(url)];
  });
  const [at] = urls;
  const { STANZA_MIGRATION_URL: primary = '' } = secret('migrate');
  if (!at || !isHere(at) || !URL.canParse(primary) || isHere(new URL(primary))) return {};
  const { hostname: host, port, pathname } = new URL(primary);
  const users = urls.map((it) => [it.username, it.password].map(decodeURIComponent));
  return {
    'pgbouncer/pgbouncer.ini': poolerConfig({
      listen: { host: '127.0.0.1', port: Number(at.port || postgresPort) },
      primary: { host, port: port || postgresPort, database: pathname.slice(1) },
      usersFile: '/etc/pgbouncer/userlist.txt',
      socketFolder: '/var/run/postgresql',
    }),
    'pgbouncer/userlist.txt': poolerUsers(Object.fromEntries(users)),
  };
};

/**
 * The files of one of several machines that each run NATS, all services and the proxy; their places are below `/etc`.
 * @param own the address of this machine, one of `machines`
 */
export const machineFiles = (
  own: string,
  machines: readonly string[],
  { items }: ClusterSecrets,
): Record<string, string> => {
  // An IPv6 address would be taken apart at its colons.
  const odd = machines.find((it, index) => !/^[\w.-]+$/.test(it) || machines.indexOf(it) !== index);
  if (odd !== undefined)
    throw new StackFailure(
      `${odd || 'An empty word'} is no address of one more machine.`,
      'Name IPv4 addresses or host names with --machines, each once, separated by commas.',
    );
  const at = machines.indexOf(own);
  if (at < 0)
    throw new StackFailure(
      `${own} is not one of the machines: ${machines.join(', ')}.`,
      'Name the machine as in --machines.',
    );
  const secret = (name: string) => items.find(({ metadata }) => metadata.name === name)?.stringData ?? {};
  const natsUrl = machines.map((it) => `nats://${it}:4222`).join(',');
  const serviceEnv = (name: ServiceName): Record<string, string> => ({
    NODE_OPTIONS: nodeOptions,
    STANZA_NATS_URL: natsUrl,
    STANZA_METRICS_HOST: own,
    STANZA_METRICS_PORT: String(metricsPorts[name]),
    ...(name === 'gateway' && {
      STANZA_HOST: own,
      STANZA_PORT: String(gatewayPort),
      STANZA_TRUSTED_PROXIES: machines.join(','),
    }),
    ...secret(name),
  });
  const { STANZA_NATS_USER: user = 'admin', STANZA_NATS_PASSWORD: password = '' } = secret('admin');
  const { ROUTE_PASSWORD = '', 'passwords.conf': passwords = '' } = secret('nats');
  const gateways = machines.map((host, index) => ({
    name: `gateway-${index + 1}`,
    host,
    port: gatewayPort,
    metricsPort: metricsPorts.gateway,
  }));
  return {
    ...unitFiles(own, metricsPorts),
    ...Object.fromEntries(serviceNames.map((name) => [`stanza/${name}.env`, envFile(serviceEnv(name))])),
    'stanza/migrate.env': envFile(secret('migrate')),
    'stanza/admin.env': envFile({ NATS_URL: `nats://${user}:${password}@${own}:4222` }),
    'stanza/nats/nats.conf': natsNodeConfig(`nats-${at + 1}`, own, machines, ROUTE_PASSWORD),
    'stanza/nats/users.conf': natsUsersFile(),
    'stanza/nats-passwords/passwords.conf': passwords,
    ...poolerFiles(secret),
    // The package's unit starts it as root, for port 80.
    'haproxy/haproxy.cfg': haproxyConfig(`${own}:80`, gateways, 'haproxy'),
  };
};
