import { flagArgument } from '../arguments.ts';
import type { Method } from '../method.ts';
import { BOT } from '../token.ts';

/** `auth.revoke`: revokes the token; with `test` nothing happens. */
export const authRevoke: Method = {
  name: 'auth.revoke',
  run({ args, caller }, { installations }) {
    const isTest = flagArgument(args, 'test');
    if (!isTest) installations.revoke(caller.workspace);
    return { ok: true, revoked: !isTest };
  },
};

/** `auth.test`: returns the app and workspace of the token. */
export const authTest: Method = {
  name: 'auth.test',
  run({ caller, address }) {
    return {
      ok: true,
      url: address(),
      team: caller.workspaceName,
      user: BOT.name,
      team_id: caller.workspace,
      user_id: BOT.userId,
      bot_id: BOT.botId,
      is_enterprise_install: false,
    };
  },
};
