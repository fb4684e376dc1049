import { type CallerName, natsPermissions, serviceNames } from '@stanza/contracts';
import { loopback } from '../ports.ts';

/** All NATS users: the services, and the operator's command line. */
export const natsUsers: readonly CallerName[] = [...serviceNames, 'admin'];

/** Bytes of the largest message; every body limit of the gateway stays below it. */
export const maxPayload = 8 * 1024 * 1024;

/** Options of {@link natsConfig}. */
export interface NatsConfigOptions {
  /** Address to listen on; 127.0.0.1 unless given. */
  host?: string;
  port: number;
  /** Passwords by user. */
  passwords: Record<string, string>;
}

/** The permissions of one user, for the server's configuration. */
const userEntry = (user: CallerName, password: string) => {
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
export const natsAccounts = (passwordOf: (user: CallerName) => string) => ({
  STANZA: {
    users: natsUsers.map((user) => userEntry(user, passwordOf(user))),
  },
});

/** The server's configuration: one account with one user for each caller. It stores nothing. */
export const natsConfig = ({ host = loopback, port, passwords }: NatsConfigOptions): string =>
  JSON.stringify(
    {
      listen: `${host}:${port}`,
      server_name: 'stanza',
      max_payload: maxPayload,
      // A busy machine must not lose idle connections for one late answer.
      ping_interval: '20s',
      accounts: natsAccounts((user) => passwords[user] ?? ''),
    },
    null,
    2,
  );
