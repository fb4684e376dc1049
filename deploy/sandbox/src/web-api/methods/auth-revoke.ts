import { flagArgument } from '../arguments.ts';
import type { Method } from '../method.ts';

/** `auth.revoke`: the token is good for nothing from then on; with `test` nothing happens. */
export const authRevoke: Method = {
  name: 'auth.revoke',
  run({ args, caller }, { installations }) {
    const isTest = flagArgument(args, 'test');
    if (!isTest) installations.revoke(caller.workspace);
    return { ok: true, revoked: !isTest };
  },
};
