import { flagArgument } from '../arguments.ts';
import type { Method } from '../method.ts';

/** `auth.revoke`: revokes the token; with `test` nothing happens. */
export const authRevoke: Method = {
  name: 'auth.revoke',
  run({ args, caller }, { installations }) {
    const isTest = flagArgument(args, 'test');
    if (!isTest) installations.revoke(caller.workspace);
    return { ok: true, revoked: !isTest };
  },
};
