/** A pooler before the primary. */
export interface Pooler {
  listen: { host: string; port: number };
  /** Where the primary is, and the database on it. */
  primary: { host: string; port: number | string; database: string };
  /** The file of {@link poolerUsers}. */
  usersFile: string;
  /** By transaction unless given, which takes pgbouncer 1.21. */
  pool?: { mode: 'transaction' | 'session'; size: number };
  /** Users that may ask pgbouncer itself. */
  admins?: readonly string[];
  /** Where it has a socket, at which the user that runs it may ask it too, as "pgbouncer". */
  socketFolder?: string;
}

/** `pgbouncer.ini`, with the settings that docs/postgres.md explains. A failover changes the line of the database. */
export const poolerConfig = ({
  listen,
  primary: { host, port, database },
  usersFile,
  pool: { mode, size } = { mode: 'transaction', size: 20 },
  admins = [],
  socketFolder = '',
}: Pooler): string => `[databases]
${database} = host=${host} port=${port}
[pgbouncer]
listen_addr = ${listen.host}
listen_port = ${listen.port}
unix_socket_dir = ${socketFolder}
auth_type = scram-sha-256
auth_file = ${usersFile}
admin_users = ${admins.join(',')}
pool_mode = ${mode}
${mode === 'transaction' ? 'max_prepared_statements = 200\n' : ''}ignore_startup_parameters = options,extra_float_digits
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 5
default_pool_size = ${size}
reserve_pool_size = 5
max_client_conn = 1000
`;

/** The users of a pooler with their passwords, as `auth_file` takes them. */
export const poolerUsers = (users: Readonly<Record<string, string>>): string =>
  Object.entries(users)
    .map((it) => `${it.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')}\n`)
    .join('');
