import { Client } from 'pg';

/**
 * Limits of a connection that no service has: of set-up, and of tests. A database that is silent is given up; what it
 * does for someone who waits, such as copying a database, takes minutes at most.
 */
export const connectionLimits = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 600_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/**
 * Opens a connection, uses it and closes it. The next statement reports a connection that broke while idle, so its
 * error event is ignored.
 */
export const withClient = async <T>(
  connectionString: string,
  use: (client: Client) => Promise<T>,
): Promise<T> => {
  const client = new Client({ ...connectionLimits, connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};
