import { natsAccounts } from './config.ts';

/** The variable of a user's password in the server's configuration. */
export const passwordVariable = (user: string): string =>
  `STANZA_NATS_PASSWORD_${user.replaceAll('-', '_').toUpperCase()}`;

/** The file of {@link natsPasswordsFile}, as seen from that of the users. */
const passwordsFile = '../nats-passwords/passwords.conf';

/**
 * The users and their permissions as a file that a server's configuration includes. It includes the passwords itself,
 * since the server looks for a variable only in the file that names it and in what that file includes.
 */
export const natsUsersFile = (): string => {
  const accounts = JSON.stringify({ accounts: natsAccounts(passwordVariable) }, null, 2);
  const withVariables = accounts.replace(/("password": )"(\w+)"/g, '$1$$$2');
  // In an included file the server reads outer braces as an object of its own.
  const members = withVariables.slice(1, -1).replaceAll(/^ {2}/gm, '').trim();
  return `# Made from the operations and events of the code: npm run docs writes it.
include ${passwordsFile}
${members}
`;
};

/** The passwords of users as a file that a server's configuration includes. */
export const natsPasswordsFile = (passwords: ReadonlyMap<string, string>): string =>
  [...passwords]
    // Quotes keep a password that looks like a number a string.
    .map(([user, password]) => `${passwordVariable(user)}: ${JSON.stringify(password)}\n`)
    .join('');

/** Reads the password of a user in a file of {@link natsPasswordsFile}. */
export const passwordIn = (file: string, user: string): string | undefined =>
  new RegExp(`^${passwordVariable(user)}: "([^"]*)"$`, 'm').exec(file)?.[1];
