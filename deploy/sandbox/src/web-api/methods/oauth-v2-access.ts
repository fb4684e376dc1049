import { textArgument } from '../arguments.ts';
import { type OpenMethod, refuse } from '../method.ts';
import { BOT, tokenFor, workspaceOf } from '../token.ts';

/** `oauth.v2.access`: exchanges the code of a grant for the token of a workspace. */
export const oauthV2Access: OpenMethod = {
  name: 'oauth.v2.access',
  run(args, { grants, installations }) {
    if (textArgument(args, 'client_id') !== grants.app.clientId) return refuse('invalid_client_id');
    if (textArgument(args, 'client_secret') !== grants.app.clientSecret) return refuse('bad_client_secret');
    const grant = grants.find(textArgument(args, 'code'));
    if (grant === undefined) return refuse('invalid_code');
    if (grant.isUsed) return refuse('code_already_used');
    if (textArgument(args, 'redirect_uri') !== grant.redirectUri) return refuse('bad_redirect_uri');
    grant.isUsed = true;
    const workspace = workspaceOf(grant.workspaceName);
    installations.install(workspace, grant.scopes);
    return {
      ok: true,
      app_id: BOT.appId,
      access_token: tokenFor(grant.workspaceName),
      token_type: 'bot',
      bot_user_id: BOT.userId,
      scope: grant.scopes.join(','),
      team: { id: workspace, name: grant.workspaceName },
      enterprise: null,
      is_enterprise_install: false,
      authed_user: { id: 'U0ADA' },
    };
  },
};
