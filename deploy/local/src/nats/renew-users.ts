/**
 * Writes the permissions of this code's contracts into the configuration that its argument names. A process of its own
 * does so, since a process that runs keeps the contracts that it has loaded. Passwords stay as they are.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { natsAccounts } from './config.ts';

const configuration = z.looseObject({
  accounts: z.object({
    STANZA: z.looseObject({ users: z.array(z.looseObject({ user: z.string(), password: z.string() })) }),
  }),
});

const file = process.argv[2] ?? '';
const before = configuration.parse(JSON.parse(readFileSync(file, 'utf8')));
const passwords = new Map(before.accounts.STANZA.users.map(({ user, password }) => [user, password]));
const accounts = natsAccounts((user) => passwords.get(user));
writeFileSync(file, JSON.stringify({ ...before, accounts }, null, 2));
