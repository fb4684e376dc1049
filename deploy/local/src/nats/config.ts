import { type CallerName, natsPermissions, serviceNames } from '@stanza/contracts';
import { loopback } from '../ports.ts';

/** All callers that connect to NATS: the services, and the operator's command line. */
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

/**
 * The two users of a caller, which have the same rights. A process uses one of them; its password is rotated by moving
 * to the other, so that the server accepts old and new at the same time.
 */
export const loginsOf = (caller: CallerName): readonly [string, string] => [caller, `${caller}-2`];

/** The permissions of a caller's users, for the server's configuration. */
export const permissionsOf = (caller: CallerName) => {
  const { publish, subscribe, allowResponses } = natsPermissions(caller);
  return {
    publish: { allow: publish },
    subscribe: { allow: subscribe },
    ...(allowResponses ? { allow_responses: { max: 1, expires: '1m' } } : {}),
  };
};

/** The one account, with the users of each caller that have a password. */
export const natsAccounts = (passwordOf: (user: string) => string | undefined) => ({
  STANZA: {
    users: natsUsers.flatMap((caller) =>
      loginsOf(caller).flatMap((user) => {
        const password = passwordOf(user);
        return password === undefined ? [] : [{ user, password, permissions: permissionsOf(caller) }];
      }),
    ),
  },
});

/** The server's configuration: one account with a user for each password. It stores nothing. */
export const natsConfig = ({ host = loopback, port, passwords }: NatsConfigOptions): string =>
  JSON.stringify(
    {
      listen: `${host}:${port}`,
      server_name: 'stanza',
      max_payload: maxPayload,
      // A busy machine must not lose idle connections for one late answer.
      ping_interval: '20s',
      accounts: natsAccounts((user) => passwords[user]),
    },
    null,
    2,
  );
