/**
 * Settings that differ from Postgres' defaults wherever it runs. Durability stays: `fsync` and `synchronous_commit` are
 * on, because the services' guarantees depend on them.
 */
export const serverSettings: Readonly<Record<string, string>> = {
  // Every service with its pool, several replicas of each, and the tests' own connections.
  max_connections: '200',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m %u@%d ',
  log_min_duration_statement: '1000',
  // Values are customers' data.
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  // Otherwise bulk loads of tests and benches force a checkpoint every few seconds.
  max_wal_size: '2GB',
};

/** The settings of the embedded server: those above and its listener. */
export const postgresSettings = (port: number): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  port: String(port),
  // No socket files: their paths are limited to 107 bytes, which a deep folder exceeds.
  unix_socket_directories: '',
  ...serverSettings,
});

/** The settings as arguments of the `postgres` program. */
export const settingsArgs = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
