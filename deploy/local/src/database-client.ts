import { Client } from 'pg';

/**
 * Opens a connection, uses it and closes it. A connection that breaks while idle is noticed by the next statement,
 * so its event is not an error by itself.
 */
export const withClient = async <T>(
  connectionString: string,
  use: (client: Client) => Promise<T>,
): Promise<T> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};
