import { type CallerName, type ServiceName, schemaOf, serviceNames } from '@stanza/contracts';
import { natsUsers } from '../nats/config.ts';
import { migratorRole, serviceRole, urlFor } from '../provision.ts';
import { newKey, newPassword } from '../secrets.ts';
import { loadKnownSettings } from '../settings.ts';
import type { ClusterSecrets } from './cluster-secrets.ts';
import { withTwoUsers } from './nats-passwords.ts';

/** Creates the secrets of a service besides its accounts. That of the chat app is the sandbox's, until an app has another. */
const ownSecrets: Partial<Record<ServiceName, () => Record<string, string>>> = {
  organization: () => ({ STANZA_KEY_HASH_SECRETS: newKey() }),
  delivery: () => ({ STANZA_ENCRYPTION_KEYS: newKey(), STANZA_CHAT_SIGNING_SECRET: newPassword() }),
  gateway: () => ({ STANZA_CONSOLE_KEYS: newKey() }),
};

/**
 * Creates one Secret for each process, with only its own accounts and keys, which limits the damage of a compromised
 * pod. `databaseUrl` is the address of the database, or of a pooler before it; its user is ignored. `migrationUrl` is
 * that of the database itself.
 */
export const clusterSecrets = async (
  databaseUrl: string,
  namespace: string,
  migrationUrl = databaseUrl,
): Promise<ClusterSecrets> => {
  const known = await loadKnownSettings();
  const addressFor = (role: string) => urlFor(databaseUrl, role, newPassword());
  const dataOf = (user: CallerName): Record<string, string> => {
    const service = serviceNames.find((name) => name === user);
    return {
      STANZA_NATS_PASSWORD: newPassword(),
      ...(service &&
        known[service].has('STANZA_DATABASE_URL') && {
          STANZA_DATABASE_URL: addressFor(serviceRole(schemaOf(service))),
        }),
      ...(service && ownSecrets[service]?.()),
    };
  };
  const secret = (name: string, stringData: Record<string, string>) =>
    ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData }) as const;
  return withTwoUsers({
    apiVersion: 'v1',
    kind: 'List',
    items: [
      ...natsUsers.map((user) => secret(user, dataOf(user))),
      secret('migrate', { STANZA_MIGRATION_URL: urlFor(migrationUrl, migratorRole, newPassword()) }),
      secret('nats', { ROUTE_PASSWORD: newPassword() }),
    ],
  });
};

/** The passwords of the database's roles, by role, as the addresses in the Secrets have them. */
export const rolePasswords = ({ items }: ClusterSecrets): Record<string, string> => {
  const addresses = items.flatMap(({ stringData }) => [
    stringData.STANZA_DATABASE_URL ?? '',
    stringData.STANZA_MIGRATION_URL ?? '',
  ]);
  return Object.fromEntries(
    addresses
      .filter((address) => address !== '')
      .map((address) => new URL(address))
      .map(({ username, password }) => [decodeURIComponent(username), decodeURIComponent(password)]),
  );
};
