import { type NatsUser, natsPermissions, serviceNames, streamKeeper } from '@stanza/contracts';
import { loopback } from '../ports.ts';

/** Everyone with a NATS user: the services, the operator's command line, and what makes the streams. */
export const natsUsers: readonly NatsUser[] = [...serviceNames, 'admin', streamKeeper];

/** Bytes of the largest message; every body limit of the gateway stays below it. */
export const maxPayload = 8 * 1024 * 1024;

/** What the configuration of the server depends on. */
export interface NatsConfigOptions {
  /** Address to listen on; this machine alone unless given. */
  host?: string;
  port: number;
  /** Where JetStream keeps its files. */
  storeFolder: string;
  /** Passwords by user. */
  passwords: Record<string, string>;
}

/** What one user may do, for the server's configuration. */
const userEntry = (user: NatsUser, password: string) => {
  const { publish, subscribe, allowResponses } = natsPermissions(user);
  return {
    user,
    password,
    permissions: {
      publish: { allow: publish },
      subscribe: { allow: subscribe },
      ...(allowResponses ? { allow_responses: { max: 1, expires: '1m' } } : {}),
    },
  };
};

/** The one account, with a user for each caller. */
export const natsAccounts = (passwordOf: (user: NatsUser) => string) => ({
  STANZA: {
    jetstream: 'enabled',
    users: natsUsers.map((user) => userEntry(user, passwordOf(user))),
  },
});

/** The server's configuration: JetStream, one account with one user for each caller. */
export const natsConfig = ({ host = loopback, port, storeFolder, passwords }: NatsConfigOptions): string =>
  JSON.stringify(
    {
      listen: `${host}:${port}`,
      server_name: 'stanza',
      max_payload: maxPayload,
      // Idle connections of a busy machine are not lost for want of one answer.
      ping_interval: '20s',
      jetstream: { store_dir: storeFolder },
      accounts: natsAccounts((user) => passwords[user] ?? ''),
    },
    null,
    2,
  );
