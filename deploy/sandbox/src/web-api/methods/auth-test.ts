import type { Method } from '../method.ts';
import { BOT } from '../token.ts';

/** `auth.test`: returns the app and workspace of the token. */
export const authTest: Method = {
  name: 'auth.test',
  run({ caller }) {
    return {
      ok: true,
      url: `https://${caller.workspaceName.toLowerCase()}.sandbox.example/`,
      team: caller.workspaceName,
      user: BOT.name,
      team_id: caller.workspace,
      user_id: BOT.userId,
      bot_id: BOT.botId,
      is_enterprise_install: false,
    };
  },
};
