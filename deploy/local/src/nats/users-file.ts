import { loginsOf, natsUsers, permissionsOf } from './config.ts';

const variable = (kind: 'PASSWORD' | 'PERMISSIONS', of: string): string =>
  `STANZA_NATS_${kind}_${of.replaceAll('-', '_').toUpperCase()}`;

/** The variable of a user's password in the server's configuration. */
export const passwordVariable = (user: string): string => variable('PASSWORD', user);

/** The file of {@link natsPasswordsFile}, as seen from that of the users. */
const passwordsFile = '../nats-passwords/passwords.conf';

/**
 * The users and their permissions as a file that a server's configuration includes. It includes the passwords itself,
 * since the server looks for a variable only in the file that names it and in what that file includes. A variable holds
 * the permissions that both users of a caller have.
 */
export const natsUsersFile = (): string => {
  const permissions = natsUsers.map(
    (caller) => `${variable('PERMISSIONS', caller)}: ${JSON.stringify(permissionsOf(caller), null, 2)}\n`,
  );
  const users = natsUsers.flatMap((caller) =>
    loginsOf(caller).map(
      (user) =>
        `      { user: ${user}, password: $${passwordVariable(user)}, permissions: $${variable('PERMISSIONS', caller)} }\n`,
    ),
  );
  return `# Made from the operations and events of the code: npm run docs writes it.
include ${passwordsFile}
${permissions.join('')}accounts: {
  STANZA: {
    users: [
${users.join('')}    ]
  }
}
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
