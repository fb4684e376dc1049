import type { NatsUser } from '@stanza/contracts';
import { natsAccounts } from './config.ts';

/** The variable in which a server finds the password of a user. */
export const passwordVariable = (user: NatsUser): string =>
  `STANZA_NATS_PASSWORD_${user.replaceAll('-', '_').toUpperCase()}`;

/**
 * The users and their rights as a file that a server's configuration includes. The passwords are not in it: the server
 * takes them from its environment.
 */
export const natsUsersFile = (): string => {
  const accounts = JSON.stringify({ accounts: natsAccounts(passwordVariable) }, null, 2);
  const withVariables = accounts.replace(/("password": )"(\w+)"/g, '$1$$$2');
  // A server takes the outermost braces for those of an object of their own when it includes the file.
  const members = withVariables.slice(1, -1).replaceAll(/^ {2}/gm, '').trim();
  return `# Made from the operations and messages of the code: npm run docs writes it.\n${members}\n`;
};
