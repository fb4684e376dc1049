import { type ServiceName, schemaOf, serviceNames } from '@stanza/contracts';
import { natsUrlFor } from '@stanza/local/nats/address';
import { natsConfig } from '@stanza/local/nats/config';
import { databaseAddress, serviceRole, urlFor } from '@stanza/local/provision';
import type { StackSecrets } from '@stanza/local/secrets';

/** Addresses between containers. */
export interface Addresses {
  /** The database, for a user who may create roles; a password in it overrides the generated one. */
  databaseUrl: string;
  /** The broker, without a user. */
  natsUrl: string;
}

/** A file that one process reads; its folder belongs to the process. */
export interface SecretFile {
  path: string;
  content: string;
  mode: number;
}

const brokerPort = 4222;

/** The address of the database for its owner. */
export const ownerUrl = ({ databaseUrl }: Addresses, secrets: StackSecrets): string => {
  const url = databaseAddress(databaseUrl);
  return url.password === ''
    ? urlFor(databaseUrl, decodeURIComponent(url.username), secrets.postgres)
    : url.href;
};

/** Secrets of a service besides its accounts. */
const ownSecrets = (secrets: StackSecrets): Partial<Record<ServiceName, Record<string, string>>> => ({
  organization: { 'key-hash-secrets': secrets.key_hash_secrets },
  gateway: { 'console-keys': secrets.console_keys },
  delivery: {
    'encryption-keys': secrets.encryption_keys,
    'chat-signing-secret': secrets.chat_signing_secret,
  },
});

const serviceFiles = (service: ServiceName, secrets: StackSecrets, addresses: Addresses): SecretFile[] => {
  const role = serviceRole(schemaOf(service));
  const values = {
    'database-url': urlFor(addresses.databaseUrl, role, secrets.roles[role] ?? ''),
    'nats-password': secrets.nats[service] ?? '',
    ...ownSecrets(secrets)[service],
  };
  return Object.entries(values).map(([name, content]) => ({
    path: `${service}/${name}`,
    content,
    mode: 0o400,
  }));
};

/**
 * Every file with a secret, in one folder for each process that reads it: a compromised process has only its own
 * secrets.
 */
export const secretFiles = (secrets: StackSecrets, addresses: Addresses): SecretFile[] => [
  ...serviceNames.flatMap((service) => serviceFiles(service, secrets, addresses)),
  { path: 'sandbox/chat-signing-secret', content: secrets.chat_signing_secret, mode: 0o400 },
  { path: 'sandbox/identity-secret', content: secrets.identity_secret, mode: 0o400 },
  {
    path: 'operator/nats-url',
    content: natsUrlFor({ url: addresses.natsUrl }, 'admin', secrets.nats.admin ?? ''),
    mode: 0o400,
  },
  {
    path: 'nats/nats.conf',
    content: natsConfig({
      host: '0.0.0.0',
      port: brokerPort,
      passwords: secrets.nats,
    }),
    mode: 0o400,
  },
  // Postgres runs as its own user, and only its container has this folder.
  { path: 'postgres/password', content: secrets.postgres, mode: 0o444 },
];
