import { Client } from 'pg';

/**
 * Opens a connection, uses it and closes it. The next statement reports a connection that broke while idle, so its
 * error event is ignored.
 */
export const withClient = async <T>(
  connectionString: string,
  use: (client: Client) => Promise<T>,
): Promise<T> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000, keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};
