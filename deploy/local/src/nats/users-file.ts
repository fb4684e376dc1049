import type { CallerName } from '@stanza/contracts';
import { natsAccounts } from './config.ts';

/** The environment variable of a user's password. */
export const passwordVariable = (user: CallerName): string =>
  `STANZA_NATS_PASSWORD_${user.replaceAll('-', '_').toUpperCase()}`;

/**
 * The users and their permissions as a file that a server's configuration includes. The server reads the passwords from
 * its environment.
 */
export const natsUsersFile = (): string => {
  const accounts = JSON.stringify({ accounts: natsAccounts(passwordVariable) }, null, 2);
  const withVariables = accounts.replace(/("password": )"(\w+)"/g, '$1$$$2');
  // In an included file the server reads outer braces as an object of its own.
  const members = withVariables.slice(1, -1).replaceAll(/^ {2}/gm, '').trim();
  return `# Made from the operations and events of the code: npm run docs writes it.\n${members}\n`;
};
