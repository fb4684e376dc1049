import type { ValidatedToken } from '@stanza/sdk';
import type { AddCommand } from './command.ts';

const textOf = ({ user, token }: ValidatedToken): string =>
  [
    `${user.first_name} ${user.last_name} <${user.email}>, ${user.role} of ${user.organization_name}`,
    `${token.type === 'session' ? 'a session' : `the key ${token.name}`}, ${token.environment}`,
    token.scopes.join(' '),
  ].join('\n');

/** `stanza whoami`. */
export const addWhoAmI: AddCommand = (program, setting) =>
  program
    .command('whoami')
    .description('show the holder, the environment and the scopes of the key')
    .action(async () => {
      const own = setting();
      const validated = await (await own.stanza()).auth.validate();
      own.show(validated, () => textOf(validated));
    });
